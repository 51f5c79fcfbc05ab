package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	miniflux "miniflux.app/v2/client"
)

func TestTheCoinFallsAsInEveryOtherLanguage(t *testing.T) {
	text, err := os.ReadFile("../../test/fixtures/coin.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct {
		Coins []struct {
			Seed, Unit, Arm string
			Period          int64
		}
		Probes []struct {
			Seed       string
			Cell       int64
			Time, Page float64
		}
	}
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors.Coins) == 0 || len(vectors.Probes) == 0 {
		t.Fatal("no vectors")
	}
	for _, toss := range vectors.Coins {
		trial := pilot{Seed: toss.Seed}
		if trial.coin(toss.Unit, toss.Period) != (toss.Arm == "plan") {
			t.Errorf("%s %s %d is not %s", toss.Seed, toss.Unit, toss.Period, toss.Arm)
		}
	}
	for _, probe := range vectors.Probes {
		if at := uniform(fmt.Sprintf("%s/probe/%d/time", probe.Seed, probe.Cell)); at != probe.Time {
			t.Errorf("probe %d at %v, not %v", probe.Cell, at, probe.Time)
		}
	}
}

func TestEachFeedHasTheStepsOfItsArm(t *testing.T) {
	trial := pilot{Seed: "a pilot", Period: 86_400, ProbeEvery: 3600, Unit: "page"}
	var pages []page
	var schedule []slot
	begin, end := 1e9, 1e9+2*86_400
	for i := range 40 {
		pages = append(pages, page{ID: fmt.Sprint(i), Host: fmt.Sprintf("h%d", i%4)})
		for at := begin; at < end; at += 7200 {
			schedule = append(schedule, slot{Time: at, Page: i})
		}
	}
	counts := map[string]int{}
	before := begin
	for _, next := range trial.steps(pages, schedule, begin, end, 1800) {
		counts[next.why]++
		if next.time < before || next.time >= end {
			t.Errorf("a step at %v", next.time)
		}
		before = next.time
		if next.why != "probe" && trial.isPlan(pages[next.feed], next.time) != (next.why == "plan") {
			t.Errorf("%s of feed %d, of the other arm", next.why, next.feed)
		}
	}
	if counts["probe"] < 46 || counts["probe"] > 50 || counts["plan"] == 0 || counts["own"] == 0 {
		t.Errorf("steps %v", counts)
	}
	byHost := pilot{Seed: "a pilot", Period: 86_400, ProbeEvery: 3600, Unit: "host"}
	for i := 4; i < len(pages); i++ {
		if byHost.isPlan(pages[i], begin) != byHost.isPlan(pages[i-4], begin) {
			t.Error("a host is dealt whole")
		}
	}
}

func TestAProbeNotesWhetherEveryEntryWasThere(t *testing.T) {
	entries := map[string]int{"/v1/feeds/1/entries": 3, "/v1/feeds/2/entries": 0}
	server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, asked *http.Request) {
		if asked.Method == http.MethodPut {
			// Feed 1 brings an entry, feed 2 none.
			if strings.HasPrefix(asked.URL.Path, "/v1/feeds/1/") {
				entries["/v1/feeds/1/entries"]++
			}
			answer.WriteHeader(http.StatusNoContent)
			return
		}
		count := entries[asked.URL.Path]
		list := []map[string]int{}
		if count > 0 {
			list = append(list, map[string]int{"id": count})
		}
		json.NewEncoder(answer).Encode(map[string]any{"total": count, "entries": list})
	}))
	defer server.Close()
	client := miniflux.NewClient(server.URL, "key")
	path := filepath.Join(t.TempDir(), "probes.ndjson")
	for id := range int64(2) {
		if err := probe(client, id+1, page{ID: fmt.Sprint(id + 1), Host: "h"}, path); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var found []noted
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var row noted
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		found = append(found, row)
	}
	if len(found) != 2 || found[0].Current || !found[1].Current || found[0].Page != "1" || found[1].Time == 0 {
		t.Errorf("noted %+v", found)
	}
}
