package main

import (
	"crypto/md5"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	miniflux "miniflux.app/v2/client"
)

// pilot is the file that "crawl-optimizer pilot start" writes: a coin deals the feeds to the plan and to Miniflux's own
// rule, and probes tell which arm is fresher (docs/how-to/pilot.md).
type pilot struct {
	Seed       string  `json:"seed"`
	Period     float64 `json:"period"`
	ProbeEvery float64 `json:"probeEvery"`
	Unit       string  `json:"unit"`
}

func readPilot(path string) (*pilot, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var found pilot
	if err := json.Unmarshal(text, &found); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if found.Seed == "" || found.Period <= 0 || found.ProbeEvery <= 0 {
		return nil, fmt.Errorf("%s is no file of crawl-optimizer pilot start", path)
	}
	return &found, nil
}

// isPlan says whether a feed belongs to the plan at a time, in epoch seconds.
func (p *pilot) isPlan(feed page, at float64) bool {
	unit := feed.ID
	if p.Unit == "host" && feed.Host != "" {
		unit = feed.Host
	}
	return p.coin(unit, int64(math.Floor(at/p.Period)))
}

func (p *pilot) coin(unit string, period int64) bool {
	return md5.Sum([]byte(fmt.Sprintf("%s/%d/%s", p.Seed, period, unit)))[0] < 0x80
}

// uniform is a number in [0, 1) of 52 bits: the first thirteen hexadecimal digits.
func uniform(text string) float64 {
	digest := md5.Sum([]byte(text))
	return float64(binary.BigEndian.Uint64(digest[:8])>>12) / (1 << 52)
}

// step is a refresh of a feed: by the plan, by Miniflux's own rule, or as a probe.
type step struct {
	time float64
	feed int
	why  string
}

// steps of a pilot in [begin, end): the plan's of the plan's feeds, one every own seconds of the others, and the probes.
func (p *pilot) steps(pages []page, schedule []slot, begin, end, own float64) []step {
	var steps []step
	for _, next := range schedule {
		if p.isPlan(pages[next.Page], next.Time) {
			steps = append(steps, step{next.Time, next.Page, "plan"})
		}
	}
	for feed, known := range pages {
		// Spread evenly, at the same phase in every run.
		phase := uniform(known.ID) * own
		for at := math.Ceil((begin-phase)/own)*own + phase; at < end; at += own {
			if !p.isPlan(known, at) {
				steps = append(steps, step{at, feed, "own"})
			}
		}
	}
	for cell := int64(math.Floor(begin / p.ProbeEvery)); float64(cell)*p.ProbeEvery < end && len(pages) > 0; cell++ {
		name := fmt.Sprintf("%s/probe/%d", p.Seed, cell)
		at := (float64(cell) + uniform(name+"/time")) * p.ProbeEvery
		if at >= begin && at < end {
			steps = append(steps, step{at, int(uniform(name+"/page") * float64(len(pages))), "probe"})
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int {
		if a.time < b.time {
			return -1
		}
		if a.time > b.time {
			return 1
		}
		return 0
	})
	return steps
}

type noted struct {
	Time    float64 `json:"time"`
	Page    string  `json:"page"`
	Host    string  `json:"host,omitempty"`
	Current bool    `json:"current"`
}

// probe refreshes a feed and notes whether Miniflux had all its entries; one that fails is not noted.
func probe(client *miniflux.Client, id int64, known page, path string) error {
	newest := &miniflux.Filter{Order: "id", Direction: "desc", Limit: 1}
	before, err := client.FeedEntries(id, newest)
	if err != nil {
		return err
	}
	at := seconds(time.Now())
	if err := client.RefreshFeed(id); err != nil {
		return err
	}
	after, err := client.FeedEntries(id, newest)
	if err != nil {
		return err
	}
	line, err := json.Marshal(noted{at, known.ID, known.Host, last(before) == last(after)})
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(append(line, '\n'))
	if closing := file.Close(); err == nil {
		err = closing
	}
	return err
}

// last is the newest entry's id: entries that are removed later do not hide one that came.
func last(found *miniflux.EntryResultSet) int64 {
	if len(found.Entries) == 0 {
		return 0
	}
	return found.Entries[0].ID
}
