// Command crawl-optimizer-miniflux refreshes the feeds of a Miniflux instance when a refresh is worth its price.
//
// It reads each feed's entries and when they were published. The feeds are refreshed at one price, at which they take as
// many refreshes a day as are wanted, so that entries come soon after their publication (objective "delay").
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"time"

	miniflux "miniflux.app/v2/client"
)

// page has the number of a feed, its last refresh and the times of its entries, in epoch seconds.
type page struct {
	feed      int64
	lastCrawl float64
	events    []float64
}

func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

// pageOf tells what is known of a feed: when its entries of the last days were published. A feed may show fewer days
// than are asked for, so that the oldest entry begins what is known. An entry may be dated ahead.
func pageOf(feed *miniflux.Feed, entries miniflux.Entries, since time.Time) page {
	known := page{feed: feed.ID}
	if !feed.CheckedAt.IsZero() {
		known.lastCrawl = seconds(feed.CheckedAt)
	}
	for _, entry := range entries {
		if entry.Date.After(since) && entry.Date.Before(feed.CheckedAt) {
			known.events = append(known.events, seconds(entry.Date))
		}
	}
	slices.Sort(known.events)
	known.events = slices.Compact(known.events)
	return known
}

func readPages(client *miniflux.Client, now time.Time, history time.Duration) ([]page, error) {
	feeds, err := client.Feeds()
	if err != nil {
		return nil, err
	}
	var pages []page
	for _, feed := range feeds {
		if feed.Disabled {
			continue
		}
		found, err := client.FeedEntries(feed.ID, &miniflux.Filter{Order: "published_at", Direction: "desc", Limit: 500})
		if err != nil {
			return nil, err
		}
		pages = append(pages, pageOf(feed, found.Entries, now.Add(-history)))
	}
	return pages, nil
}

func main() {
	endpoint := flag.String("api", "http://localhost:8081", "Miniflux")
	perDay := flag.Float64("per-day", 0, "refreshes a day of all feeds together")
	least := flag.Duration("min-interval", 5*time.Minute, "least time between two refreshes of a feed")
	history := flag.Duration("history", 60*24*time.Hour, "how far back entries are looked at")
	flag.Parse()
	if *perDay <= 0 {
		log.Fatal("-per-day says how many refreshes there are")
	}
	feeds := sidecar{miniflux.NewClient(*endpoint, os.Getenv("MINIFLUX_API_KEY")), *least, *history}
	again(every, func() error {
		refreshed, err := feeds.byPrice(*perDay, time.Now())
		if err == nil && refreshed > 0 {
			fmt.Printf("%d feeds refreshed\n", refreshed)
		}
		return err
	})
}
