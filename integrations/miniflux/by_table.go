package main

import (
	"database/sql"
	"fmt"
	"log"
	"strconv"
	"strings"
	"time"

	"github.com/lib/pq"
	miniflux "miniflux.app/v2/client"
)

// planTable is a table that crawl-optimizer tables plan wrote into PostgreSQL.
type planTable struct {
	url, name string
	// unit of its intervals
	unit time.Duration
}

// read hands each row that is fetched to the taker, one at a time: the page's name, the time between its fetches, and
// its next fetch in epoch seconds, or 0.
func (t planTable) read(take func(id string, interval time.Duration, next float64)) error {
	database, err := sql.Open("postgres", t.url)
	if err != nil {
		return err
	}
	defer database.Close()
	var quoted []string
	for _, part := range strings.Split(t.name, ".") {
		quoted = append(quoted, pq.QuoteIdentifier(part))
	}
	// a table without last crawls has no column nextFetch
	rows, err := database.Query(fmt.Sprintf(`SELECT id::text, "interval"::float8,
		coalesce((to_jsonb(plan)->>'nextFetch')::float8, 0) FROM %s AS plan WHERE "interval" IS NOT NULL`,
		strings.Join(quoted, ".")))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		var interval, next float64
		if err := rows.Scan(&id, &interval, &next); err != nil {
			return err
		}
		take(id, time.Duration(interval*float64(t.unit)), next)
	}
	return rows.Err()
}

// dueBy tells whether a feed is refreshed now: at the table's next fetch, and after it once an interval has passed.
func dueBy(checked, interval, next, now float64) bool {
	if checked < next {
		return next <= now
	}
	return checked+interval <= now
}

// byTable refreshes the feeds whose time has come, once; the table names them by URL or number.
func (s sidecar) byTable(table planTable, now time.Time) (int, error) {
	feeds, err := s.client.Feeds()
	if err != nil {
		return 0, err
	}
	named := map[string]*miniflux.Feed{}
	for _, feed := range feeds {
		if !feed.Disabled {
			named[feed.FeedURL], named[strconv.FormatInt(feed.ID, 10)] = feed, feed
		}
	}
	var due []int64
	err = table.read(func(id string, interval time.Duration, next float64) {
		if feed := named[id]; feed != nil {
			if dueBy(seconds(feed.CheckedAt), max(interval, s.least).Seconds(), next, seconds(now)) {
				due = append(due, feed.ID)
			}
		}
	})
	if err != nil {
		return 0, err
	}
	for _, id := range due {
		if err := s.client.RefreshFeed(id); err != nil {
			log.Printf("feed %d: %v", id, err)
		}
	}
	return len(due), nil
}
