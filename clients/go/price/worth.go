package price

import "math"

// leastShare is the weight below which a memory is skipped.
const leastShare = 1e-16

// mostWorth is the limit of the worth of a fetch under freshness as the age goes to infinity.
func (b Belief) mostWorth() float64 {
	most := 0.0
	for k, share := range b.Shares() {
		if share <= leastShare {
			continue
		}
		if b.Shape[k] <= 1 {
			return math.Inf(1)
		}
		most += share * b.Scale[k] / (b.Shape[k] - 1)
	}
	return most
}

// worth is V(age) averaged over the belief.
func (b Belief) worth(objective Objective) func(age float64) float64 {
	of := map[Objective]func(a, b, age float64) float64{
		Freshness: func(a, b, age float64) float64 { return b * firstMoment(a, age/b) },
		Delay:     func(a, b, age float64) float64 { return a / b * age * age / 2 },
		Harmonic:  meanHarmonicWorth,
	}[objective]
	shares := b.Shares()
	return func(age float64) float64 {
		sum := 0.0
		for k, share := range shares {
			if share > leastShare {
				sum += share * of(b.Shape[k], b.Scale[k], age)
			}
		}
		return sum
	}
}

// meanHarmonicWorth is age·E[x/(1 + x)], x = rate·age: the integral of exp(−t)(1 − (1 + t·age/b)^−a) by the trapezoidal
// rule in v, t = exp(v − exp(−v)).
func meanHarmonicWorth(a, b, age float64) float64 {
	sum := 0.0
	for n := -36; n <= 36; n++ {
		rest := math.Exp(-float64(n) / 8)
		t := math.Exp(float64(n)/8 - rest)
		sum -= math.Exp(-t) * t * (1 + rest) * math.Expm1(-a*math.Log1p(age/b*t))
	}
	return age * sum / 8
}

// firstMoment is ∫₀ᵘ t·f(t) dt of the time to a change in units of the scale, f(t) = a(1 + t)^(−a−1).
func firstMoment(a, u float64) float64 {
	if (a+2)*u < 0.3 {
		return series(a, u)
	}
	logAge := math.Log1p(u)
	fresh := math.Exp(-a * logAge)
	area := decayed(a-1, logAge)
	if math.Abs(a-1)*logAge > 0.5 {
		area = (1 - fresh*(1+u)) / (a - 1)
	}
	return area - u*fresh
}

// decayed is (1 − exp(−k·logAge))/k.
func decayed(k, logAge float64) float64 {
	if k == 0 {
		return logAge
	}
	return -math.Expm1(-k*logAge) / k
}

// series is firstMoment for small u.
func series(a, u float64) float64 {
	term := a * u * u
	sum := term / 2
	for n := 1; n < 60; n++ {
		term *= -(a + float64(n)) * u / float64(n)
		sum += term / float64(n+2)
	}
	return sum
}

// changesAt is the y with 1 − (1 + y)e^(−y) = load: the root of y − ln(1 + y) = −ln(1 − load).
func changesAt(load float64) float64 {
	rest := -math.Log1p(-load)
	u := math.Sqrt(2 * rest)
	if u < 0.1 {
		tail := u * (1./4320 + u*(1./17010-u*139/5443200))
		return u * (1 + u*(1./3+u*(1./36+u*(-1./270+tail))))
	}
	y := u + rest
	for range 60 {
		step := (y - math.Log1p(y) - rest) * (1 + y) / y
		y -= step
		if math.Abs(step) <= 1e-15*y {
			break
		}
	}
	return y
}

// risingRoot solves f(age) = target for a rising f, by bracketed secant steps in the logarithms.
func risingRoot(worth func(float64) float64, target, start float64) float64 {
	low, high := math.Inf(-1), math.Inf(1)
	at, power := math.Log(start), 2.0
	before, missed := math.NaN(), math.NaN()
	for range 200 {
		miss := math.Log(worth(math.Exp(at)) / target)
		if miss > 0 {
			high = at
		} else {
			low = at
		}
		if math.Abs(at-before) > 1e-9 {
			power = (miss - missed) / (at - before)
		}
		power = math.Min(4, math.Max(1e-3, power))
		step := math.Max(-8, math.Min(8, miss/power))
		if math.Abs(step) < 1e-13 {
			return math.Exp(at - step)
		}
		next := at - step
		if !(low < next && next < high) {
			switch {
			case math.IsInf(low, -1):
				next = high - 2
			case math.IsInf(high, 1):
				next = low + 2
			default:
				next = (low + high) / 2
			}
		}
		before, missed, at = at, miss, next
	}
	return math.Exp(at)
}
