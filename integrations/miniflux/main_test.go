package main

import (
	"math"
	"testing"
	"time"

	"crawl-optimizer.example/client/price"
)

func TestFeedsTakeTheRefreshesWantedAtTheirPrice(t *testing.T) {
	rates := []float64{1e-3, 1e-5, 3e-7}
	cost := priceOf(rates, 0.01)
	taken := 0.0
	for _, rate := range rates {
		taken += 1 / price.DueAge(rate, 1, cost, price.Delay)
	}
	if math.Abs(taken/0.01-1) > 1e-12 {
		t.Errorf("%v refreshes a second are taken in place of .01", taken)
	}
}

func TestAFeedWithoutEntriesIsTakenForOneOfFewEntries(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	day := 24 * time.Hour
	busy := page{events: []float64{seconds(now) - 86_400, seconds(now) - 7200, seconds(now) - 60}}
	if quiet := rateOf(page{}, now, day); quiet != 0.5/86_400 || rateOf(busy, now, day) <= quiet {
		t.Errorf("a feed without entries has the rate %v", quiet)
	}
}

func TestPausesDoubleUpToTenMinutes(t *testing.T) {
	if pause(0) != time.Second || pause(3) != 8*time.Second || pause(500) != 10*time.Minute {
		t.Errorf("pauses are %v, %v, %v", pause(0), pause(3), pause(500))
	}
}

// Feeds are looked at once a minute; over many ages they are refreshed as often as their due ages say.
func TestLooksOnceAMinuteDoNotMakeFewerRefreshes(t *testing.T) {
	start := time.Unix(1_700_000_000, 0)
	wanted, made := 0.0, 0.0
	for age := 31.0; age < 600; age++ {
		looks := 1
		for !due(page{lastCrawl: seconds(start)}, age, 0, start.Add(time.Duration(looks)*every)) {
			looks++
		}
		wanted += age
		made += float64(looks) * every.Seconds()
	}
	if math.Abs(made/wanted-1) > 0.01 {
		t.Errorf("the mean interval is %v times the wanted one", made/wanted)
	}
	if due(page{lastCrawl: seconds(start)}, 70, 2*every, start.Add(every)) {
		t.Error("sooner than the least interval")
	}
}
