/**
 * What siblings say of a page, for pages that change together with strength s.
 *
 * Model: changes come at moments; at each a share θ of the group changes, θ drawn with density ∝ θ⁻¹(1 − θ)^{1/s − 2}
 * (the limit of beta laws in which most moments touch nobody). So a sibling of a changed page had changed too with
 * chance s; of k changed among m that were watched, a further page had with chance k·s/(1 + (m − 1)s); and where none
 * of m was, a page's own rate is down to the share (1 − s)/(1 + (m − 1)s). For two pages this is the model in which a
 * share s of all moments is shared. Over a window with m watchers on average and k changes of theirs: P(unchanged) =
 * e^{−λτ·quiet}·spared.
 */

/** The share of a page's rate that is left where so many siblings were watched and did not change. */
export function quietShare(strength: number, watchers: number): number {
  return watchers <= 1 ? 1 - strength * watchers : (1 - strength) / (1 + (watchers - 1) * strength);
}

/** The chance that none of so many changes of siblings was one of this page's. */
export function sparedChance(strength: number, watchers: number, news: number): number {
  if (news === 0) return 1;
  const most = Math.max(1, watchers);
  const each = strength / (1 + (most - 1) * strength);
  return news <= most ? 1 - each * news : (1 - each * most) ** (news / most);
}
