// Package price is crawling by one number (docs/how-to/crawling-by-a-price.md): a page is due once what a fetch of it
// is worth, its weight times V(age), reaches the price of a fetch. V is averaged over a belief in the page's change
// rate: four Gamma laws whose memories are 20, 80, 320 and 1,280 units long. Every language is held to one file of
// golden vectors.
package price

import (
	"errors"
	"math"
)

// Objective is what staleness costs.
type Objective string

const (
	Freshness Objective = "freshness"
	Delay     Objective = "delay"
	Harmonic  Objective = "harmonic"
)

// Day is the usual unit of the memories, in seconds.
const Day = 86_400.0

const priorShape = 0.5

var halfLives = [4]float64{20, 80, 320, 1280}

// Prior is the belief before the first check: changes per unit of time, and the unit of the memories.
type Prior struct {
	MeanRate, MemoryUnit float64
}

// Belief has four memories, each with a Gamma(Shape, Scale) rate; Foretold is the discounted log-likelihood of its checks.
type Belief struct {
	Shape    [4]float64 `json:"shape"`
	Scale    [4]float64 `json:"scale"`
	Foretold [4]float64 `json:"foretold"`
}

// Check is the result of a fetch, Elapsed after the previous one. ChangeAge is the age of the latest change; nil: unknown.
type Check struct {
	Elapsed   float64
	Changed   bool
	ChangeAge *float64
}

// NewBelief is the belief in a page that has not been checked.
func NewBelief(prior Prior) Belief {
	var belief Belief
	for k := range halfLives {
		belief.Shape[k] = priorShape
		belief.Scale[k] = priorShape / prior.MeanRate
	}
	return belief
}

// Shares are the posterior weights of the memories.
func (b Belief) Shares() [4]float64 {
	most := math.Inf(-1)
	for _, each := range b.Foretold {
		most = math.Max(most, each)
	}
	var shares [4]float64
	sum := 0.0
	for k, each := range b.Foretold {
		shares[k] = math.Exp(each - most)
		sum += shares[k]
	}
	for k := range shares {
		shares[k] /= sum
	}
	return shares
}

// MeanRate is the mean of the believed rate.
func (b Belief) MeanRate() float64 {
	mean := 0.0
	for k, share := range b.Shares() {
		mean += share * b.Shape[k] / b.Scale[k]
	}
	return mean
}

// After is the belief after a check.
func (b Belief) After(check Check, prior Prior) (Belief, error) {
	tau, waited := check.Elapsed, 0.0
	known := check.Changed && check.ChangeAge != nil
	if known {
		tau, waited = *check.ChangeAge, check.Elapsed-*check.ChangeAge
	}
	if !(tau >= 0 && waited >= 0) {
		return b, errors.New("a check must have 0 <= ChangeAge <= Elapsed")
	}
	rest := priorShape / prior.MeanRate
	fade := math.Exp(-math.Ln2 * tau / (365 * prior.MemoryUnit))
	for k, halfLife := range halfLives {
		kept := math.Exp(-math.Ln2 * (tau + waited) / (halfLife * prior.MemoryUnit))
		shape := priorShape + kept*(b.Shape[k]-priorShape)
		scale := rest + kept*(b.Scale[k]-rest)
		logAge := math.Log1p(tau / scale)
		seen := -shape * logAge
		switch {
		case known:
			seen += math.Log(shape/scale) - logAge
			shape, scale = shape+1, scale+tau
		case check.Changed:
			chance := math.Max(-math.Expm1(seen), math.SmallestNonzeroFloat64)
			stale := tau / (scale + tau)
			one := stale + (1-stale)*chance
			two := stale + (1-stale)*one
			mean := shape / scale * (one / chance)
			square := shape / scale * (shape + 1) / scale * (two / chance)
			variance := math.Max(square-mean*mean, 1e-6*mean*mean)
			seen = math.Log(chance)
			scale = mean / variance
			shape = mean * scale
		default:
			scale += tau
		}
		b.Shape[k], b.Scale[k], b.Foretold[k] = shape, scale, b.Foretold[k]*fade+seen
	}
	return b, nil
}

// DueAge is the age of the copy at which a fetch is worth the price; +Inf where it never is.
func (b Belief) DueAge(weight, price float64, objective Objective) float64 {
	target := price / weight
	if !(target > 0) {
		return 0
	}
	if objective == Freshness && b.mostWorth() <= target {
		return math.Inf(1)
	}
	start := math.Sqrt(2 * target / b.MeanRate())
	if objective == Harmonic {
		start /= math.Sqrt2
	}
	return risingRoot(b.worth(objective), target, start)
}

// Worth is the worth of a fetch at an age. That of a new page at the target mean interval is a crawl's first price.
func (b Belief) Worth(weight, age float64, objective Objective) float64 {
	return weight * b.worth(objective)(age)
}

// DueAge is the age of the copy of a page of known rate at which a fetch is worth the price; +Inf where it never is.
func DueAge(rate, weight, price float64, objective Objective) float64 {
	target := price / weight
	if !(target > 0) {
		return 0
	}
	switch objective {
	case Delay:
		return math.Sqrt(2 * target / rate)
	case Harmonic:
		return (target + math.Sqrt(target*target+4*target/rate)) / 2
	}
	load := price * rate / weight
	if load >= 1 {
		return math.Inf(1)
	}
	return changesAt(load) / rate
}

// Feedback is what was fetched in the last window, a tenth to a half of the pages' mean interval. Ahead counts the
// fetches since the start beyond those wanted.
type Feedback struct {
	Price, Seen, Wanted, Pages, Ahead float64
}

// Next is the price for the next window.
func (f Feedback) Next() float64 {
	power := math.Min(1, f.Wanted/(2*f.Pages))
	aimed := math.Min(5*f.Wanted, math.Max(f.Wanted/5, f.Wanted-0.5*power*f.Ahead))
	ratio := math.Min(5, math.Max(0.2, (f.Seen+0.5)/(aimed+0.5)))
	return f.Price * math.Pow(ratio, power)
}
