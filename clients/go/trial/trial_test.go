package trial

import (
	"encoding/json"
	"os"
	"testing"
)

// golden are the vectors that every language is held to.
var golden struct {
	Coins []struct {
		Seed, Unit string
		Period     int64
		Arm        Arm
	}
	Probes []struct {
		Seed       string
		Cell       int64
		Time, Page float64
	}
}

func TestMain(m *testing.M) {
	text, err := os.ReadFile("../../../test/fixtures/coin.json")
	if err == nil {
		err = json.Unmarshal(text, &golden)
	}
	if err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func TestEveryCoinFallsAsRecorded(t *testing.T) {
	if len(golden.Coins) < 200 {
		t.Fatalf("only %d coins are recorded", len(golden.Coins))
	}
	for _, each := range golden.Coins {
		if arm := Coin(each.Seed, each.Unit, each.Period); arm != each.Arm {
			t.Errorf("coin(%q, %q, %d) is %s, not %s", each.Seed, each.Unit, each.Period, arm, each.Arm)
		}
	}
}

func TestEveryProbeIsDueAsRecorded(t *testing.T) {
	for _, each := range golden.Probes {
		probe := ProbeOf(each.Seed, each.Cell, 1)
		if probe.Time != float64(each.Cell)+each.Time || probe.Place != each.Page {
			t.Errorf("probe %d of %q is %v", each.Cell, each.Seed, probe)
		}
	}
}
