// Package trial has the coin that deals pages to the arms of a trial, and the times of its probes
// (docs/estimates/freshness.md). Both are hashes of texts, so that nothing has to be kept but the seed: every language
// and database computes the same.
package trial

import (
	"crypto/md5"
	"encoding/binary"
	"fmt"
)

// Arm is the rule by which a unit's pages are crawled in a period.
type Arm string

const (
	Plan      Arm = "plan"
	Incumbent Arm = "incumbent"
)

// Probe is a probe to be made: when, and the page's place among the cumulative weights, 0 to 1.
type Probe struct {
	Time, Place float64
}

// Coin says the arm of a unit (a page or a host) in a period, which begins that many lengths after 1970.
func Coin(seed, unit string, period int64) Arm {
	digest := md5.Sum([]byte(fmt.Sprintf("%s/%d/%s", seed, period, unit)))
	if digest[0] < 0x80 {
		return Plan
	}
	return Incumbent
}

// ProbeOf is probe number cell, of which there is one in every length of time.
func ProbeOf(seed string, cell int64, length float64) Probe {
	at := fmt.Sprintf("%s/probe/%d", seed, cell)
	return Probe{Time: (float64(cell) + uniform(at+"/time")) * length, Place: uniform(at + "/page")}
}

// uniform is a number in [0, 1) of 52 bits: the first thirteen hexadecimal digits.
func uniform(text string) float64 {
	digest := md5.Sum([]byte(text))
	return float64(binary.BigEndian.Uint64(digest[:8])>>12) / (1 << 52)
}
