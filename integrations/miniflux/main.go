// Command crawl-optimizer-miniflux refreshes the feeds of a Miniflux instance by a plan of crawl-optimizer.
//
// It reads each feed's entries and when they were published, asks crawl-plan for the plan that brings entries soonest
// after their publication (objective "delay"), and refreshes each feed when the plan says.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"time"

	miniflux "miniflux.app/v2/client"
)

// page is a feed as crawl-plan is told of it; times in epoch seconds.
type page struct {
	ID        string    `json:"id"`
	Host      string    `json:"host,omitempty"`
	LastCrawl float64   `json:"lastCrawl,omitempty"`
	Events    []float64 `json:"events,omitempty"`
	Checks    *[0]int   `json:"checks,omitempty"`
}

type request struct {
	Now         float64 `json:"now"`
	Interval    float64 `json:"interval"`
	Crawls      int     `json:"crawls"`
	Objective   string  `json:"objective"`
	MinInterval float64 `json:"minInterval"`
	Pages       []page  `json:"pages"`
}

type slot struct {
	Time float64 `json:"time"`
	Page int     `json:"page"`
}

type answer struct {
	Status   string `json:"status"`
	Solution *struct {
		Schedule []slot `json:"schedule"`
	} `json:"solution"`
	Conflict *struct {
		Detail string `json:"detail"`
	} `json:"conflict"`
}

func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

// pageOf tells what is known of a feed: when its entries of the last days were published. A feed may show fewer days
// than are asked for, so that the oldest entry begins what is known. An entry may be dated ahead.
func pageOf(feed *miniflux.Feed, entries miniflux.Entries, since time.Time) page {
	known := page{ID: strconv.FormatInt(feed.ID, 10)}
	if !feed.CheckedAt.IsZero() {
		known.LastCrawl = seconds(feed.CheckedAt)
	}
	if address, err := url.Parse(feed.FeedURL); err == nil {
		known.Host = address.Host
	}
	for _, entry := range entries {
		if entry.Date.After(since) && entry.Date.Before(feed.CheckedAt) {
			known.Events = append(known.Events, seconds(entry.Date))
		}
	}
	slices.Sort(known.Events)
	known.Events = slices.Compact(known.Events)
	if len(known.Events) == 0 {
		known.Checks = &[0]int{}
	}
	return known
}

func readPages(client *miniflux.Client, now time.Time, history time.Duration) ([]int64, []page, error) {
	feeds, err := client.Feeds()
	if err != nil {
		return nil, nil, err
	}
	var ids []int64
	var pages []page
	for _, feed := range feeds {
		if feed.Disabled {
			continue
		}
		found, err := client.FeedEntries(feed.ID, &miniflux.Filter{Order: "published_at", Direction: "desc", Limit: 500})
		if err != nil {
			return nil, nil, err
		}
		ids = append(ids, feed.ID)
		pages = append(pages, pageOf(feed, found.Entries, now.Add(-history)))
	}
	return ids, pages, nil
}

func ask(service string, wanted request) ([]slot, error) {
	body, err := json.Marshal(wanted)
	if err != nil {
		return nil, err
	}
	response, err := http.Post(service+"/v1/crawl-plan", "application/json", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("crawl-optimizer: %s: %s", response.Status, text)
	}
	var said answer
	if err := json.Unmarshal(text, &said); err != nil {
		return nil, err
	}
	if said.Solution == nil {
		return nil, fmt.Errorf("no plan: %s", said.Conflict.Detail)
	}
	return said.Solution.Schedule, nil
}

func run() error {
	endpoint := flag.String("api", "http://localhost:8081", "Miniflux")
	service := flag.String("service", "http://localhost:8080", "crawl-optimizer")
	crawls := flag.Int("crawls", 0, "refreshes that can be made in the interval")
	interval := flag.Duration("interval", 24*time.Hour, "how far to plan ahead")
	least := flag.Duration("min-interval", 5*time.Minute, "least time between two refreshes of a feed")
	history := flag.Duration("history", 60*24*time.Hour, "how far back entries are looked at")
	perDay := flag.Float64("per-day", 0, "in place of -crawls: refreshes a day, by a price and without a service")
	table := flag.String("table", "", "in place of -crawls: PostgreSQL, postgres://…, with a plan of crawl-optimizer tables")
	tableName := flag.String("table-name", "public.plan", "the plan's table")
	unit := flag.Duration("unit", 24*time.Hour, "the unit of the table's intervals")
	forever := flag.Bool("forever", false, "plan again at the end of the interval; go on where Miniflux or the service fail")
	flag.Parse()
	given := 0
	for _, each := range []bool{*crawls > 0, *perDay > 0, *table != ""} {
		if each {
			given++
		}
	}
	if given != 1 {
		return fmt.Errorf("one of -per-day, -crawls and -table says how many refreshes there are")
	}
	client := miniflux.NewClient(*endpoint, os.Getenv("MINIFLUX_API_KEY"))
	if *crawls < 1 {
		feeds := sidecar{client, *least, *history}
		again(every, func() error {
			look := func() (int, error) { return feeds.byPrice(*perDay, time.Now()) }
			if *table != "" {
				look = func() (int, error) { return feeds.byTable(planTable{*table, *tableName, *unit}, time.Now()) }
			}
			refreshed, err := look()
			if err == nil && refreshed > 0 {
				fmt.Printf("%d feeds refreshed\n", refreshed)
			}
			return err
		})
	}
	followOnce := func() error {
		return follow(client, planned{*service, *crawls, *interval, *least, *history})
	}
	if *forever {
		again(0, followOnce)
	}
	return followOnce()
}

// planned is what a plan needs to be made and followed.
type planned struct {
	service                  string
	crawls                   int
	interval, least, history time.Duration
}

// follow plans once and follows the plan.
func follow(client *miniflux.Client, p planned) error {
	now := time.Now()
	ids, pages, err := readPages(client, now, p.history)
	if err != nil {
		return err
	}
	schedule, err := ask(p.service, request{
		Now: seconds(now), Interval: p.interval.Seconds(), Crawls: p.crawls,
		Objective: "delay", MinInterval: p.least.Seconds(), Pages: pages,
	})
	if err != nil {
		return err
	}
	fmt.Printf("%d feeds, %d refreshes planned\n", len(ids), len(schedule))
	for _, next := range schedule {
		time.Sleep(time.Until(time.UnixMilli(int64(1000 * next.Time))))
		// A feed that fails is Miniflux's to report; the others go on.
		if err := client.RefreshFeed(ids[next.Page]); err != nil {
			log.Printf("feed %d: %v", ids[next.Page], err)
		}
	}
	return nil
}

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}
