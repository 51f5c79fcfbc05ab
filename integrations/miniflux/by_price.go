package main

import (
	"log"
	"math"
	"time"

	"crawl-optimizer.example/client/price"
	miniflux "miniflux.app/v2/client"
)

// sidecar has the client and the settings of refreshes by a price.
type sidecar struct {
	client         *miniflux.Client
	least, history time.Duration
}

// rateOf estimates a feed's entries a second: those of its known days, plus half an entry in one mean interval.
func rateOf(known page, now time.Time, meanInterval time.Duration) float64 {
	watched := 0.0
	if len(known.events) > 0 {
		watched = seconds(now) - known.events[0]
	}
	return (float64(len(known.events)) + 0.5) / (watched + meanInterval.Seconds())
}

// priceOf is the price at which feeds of these rates take `refreshes` a second: under the objective delay the refresh
// rate of a feed is proportional to the root of its rate.
func priceOf(rates []float64, refreshes float64) float64 {
	roots := 0.0
	for _, rate := range rates {
		roots += math.Sqrt(rate)
	}
	return roots * roots / (2 * refreshes * refreshes)
}

// every is the time between two polls of the feeds.
const every = time.Minute

// due tells whether a feed is refreshed now, whose refresh is worth its price at an age in seconds: at the look nearest
// to that, since at the first one after it there would be fewer refreshes than wanted.
func due(known page, age float64, least time.Duration, now time.Time) bool {
	return known.lastCrawl+math.Max(least.Seconds(), age-every.Seconds()/2) <= seconds(now)
}

// byPrice refreshes the feeds that are worth it, once; it gives how many there were.
func (s sidecar) byPrice(perDay float64, now time.Time) (int, error) {
	pages, err := readPages(s.client, now, s.history)
	if err != nil {
		return 0, err
	}
	mean := time.Duration(float64(len(pages)) / perDay * float64(24*time.Hour))
	var rates []float64
	for _, known := range pages {
		rates = append(rates, rateOf(known, now, mean))
	}
	cost := priceOf(rates, perDay/86_400)
	refreshed := 0
	for at, known := range pages {
		if !due(known, price.DueAge(rates[at], 1, cost, price.Delay), s.least, now) {
			continue
		}
		refreshed++
		if err := s.client.RefreshFeed(known.feed); err != nil {
			log.Printf("feed %d: %v", known.feed, err)
		}
	}
	return refreshed, nil
}

// pause is the time before another try: it doubles from a second to ten minutes.
func pause(failures int) time.Duration {
	return min(time.Second<<min(failures, 20), 10*time.Minute)
}

// again does something for ever, every so often. A failure is logged, and tried again after a pause.
func again(every time.Duration, what func() error) {
	for failures := 0; ; {
		began := time.Now()
		if err := what(); err != nil {
			log.Print(err)
			time.Sleep(pause(failures))
			failures++
			continue
		}
		failures = 0
		time.Sleep(time.Until(began.Add(every)))
	}
}
