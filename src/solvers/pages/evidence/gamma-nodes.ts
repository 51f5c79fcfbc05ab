/**
 * Gauss's rule for a Gamma law of rates: nodes and weights with Σ ω_j g(x_j) = E g(X), X ~ Gamma(shape, 1), exact for
 * polynomials up to degree 15.
 *
 * Golub and Welsch (1969): the nodes are the eigenvalues of the tridiagonal matrix of the generalised Laguerre
 * polynomials (diagonal 2k + shape, off-diagonal √(k(k + shape − 1))). The weights are the squares of the first
 * components of its eigenvectors. They are found by the implicit QL method. O(nodes²) a rule.
 */

/** Nodes of the rule. */
export const gammaNodes = 8;
/** Largest number of QL sweeps for one eigenvalue; mostly a few suffice. */
const maxRotations = 60;

const diagonal = new Float64Array(gammaNodes);
const offDiagonal = new Float64Array(gammaNodes);
const firstComponent = new Float64Array(gammaNodes);

/** Writes the nodes, divided by `scale`, and the weights, multiplied by `share`, from position `at` on. */
export function writeGammaRule(
  law: { readonly shape: number; readonly scale: number; readonly share: number },
  nodes: Float32Array,
  weights: Float32Array,
  at: number,
): void {
  const { shape, scale, share } = law;
  for (let k = 0; k < gammaNodes; k++) {
    diagonal[k] = 2 * k + shape;
    offDiagonal[k] = k + 1 < gammaNodes ? Math.sqrt((k + 1) * (k + shape)) : 0;
    firstComponent[k] = k === 0 ? 1 : 0;
  }
  for (let l = 0; l < gammaNodes; l++) diagonalise(l);
  for (let k = 0; k < gammaNodes; k++) {
    nodes[at + k] = diagonal[k] / scale;
    weights[at + k] = share * firstComponent[k] * firstComponent[k];
  }
}

/** QL sweeps until the off-diagonal entry at l is negligible against the two diagonal entries next to it. */
function diagonalise(l: number): void {
  for (let rotation = 0; rotation < maxRotations; rotation++) {
    let m = l;
    while (m + 1 < gammaNodes) {
      const size = Math.abs(diagonal[m]) + Math.abs(diagonal[m + 1]);
      if (Math.abs(offDiagonal[m]) <= 1e-16 * size) break;
      m++;
    }
    if (m === l) return;
    const half = (diagonal[l + 1] - diagonal[l]) / (2 * offDiagonal[l]);
    const root = Math.hypot(half, 1);
    let g = diagonal[m] - diagonal[l] + offDiagonal[l] / (half + (half >= 0 ? root : -root));
    let s = 1;
    let c = 1;
    let p = 0;
    for (let i = m - 1; i >= l; i--) {
      const f = s * offDiagonal[i];
      const b = c * offDiagonal[i];
      const r = Math.hypot(f, g);
      offDiagonal[i + 1] = r;
      s = f / r;
      c = g / r;
      g = diagonal[i + 1] - p;
      const t = (diagonal[i] - g) * s + 2 * c * b;
      p = s * t;
      diagonal[i + 1] = g + p;
      g = c * t - b;
      const nextComponent = firstComponent[i + 1];
      firstComponent[i + 1] = s * firstComponent[i] + c * nextComponent;
      firstComponent[i] = c * firstComponent[i] - s * nextComponent;
    }
    diagonal[l] -= p;
    offDiagonal[l] = g;
    offDiagonal[m] = 0;
  }
}
