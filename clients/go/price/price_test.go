package price

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

type due struct {
	Objective   Objective
	Weight      float64
	Price, Rate float64
	Age         *float64
}

// golden are the vectors that every language is held to.
var golden struct {
	Known   []due
	Beliefs []struct {
		Prior    Prior
		Checks   []Check
		Belief   Belief
		MeanRate float64
		Due      []due
	}
	Prices []struct {
		Feedback
		Next float64
	}
}

func TestMain(m *testing.M) {
	text, err := os.ReadFile("../../../test/fixtures/price.json")
	if err == nil {
		err = json.Unmarshal(text, &golden)
	}
	if err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func near(t *testing.T, found float64, given *float64, tolerance float64, what any) {
	t.Helper()
	expected := math.Inf(1)
	if given != nil {
		expected = *given
	}
	if found != expected && !(math.Abs(found-expected) <= tolerance*math.Abs(expected)) {
		t.Errorf("%v is not %v: %+v", found, expected, what)
	}
}

func TestAPageOfKnownRateIsDueAsRecorded(t *testing.T) {
	if len(golden.Known) < 200 {
		t.Fatalf("only %d are recorded", len(golden.Known))
	}
	for _, row := range golden.Known {
		near(t, DueAge(row.Rate, row.Weight, row.Price, row.Objective), row.Age, 1e-11, row)
	}
}

func TestChecksLeadToTheBeliefsRecorded(t *testing.T) {
	for _, row := range golden.Beliefs {
		belief := NewBelief(row.Prior)
		for _, check := range row.Checks {
			var err error
			if belief, err = belief.After(check, row.Prior); err != nil {
				t.Fatal(err)
			}
		}
		for k := range belief.Shape {
			near(t, belief.Shape[k], &row.Belief.Shape[k], 1e-9, row)
			near(t, belief.Scale[k], &row.Belief.Scale[k], 1e-9, row)
		}
		near(t, belief.MeanRate(), &row.MeanRate, 1e-8, row)
	}
}

func TestAPageOfBelievedRateIsDueAsRecorded(t *testing.T) {
	for _, row := range golden.Beliefs {
		for _, each := range row.Due {
			near(t, row.Belief.DueAge(each.Weight, each.Price, each.Objective), each.Age, 1e-8, each)
			if each.Age != nil {
				near(t, row.Belief.Worth(each.Weight, *each.Age, each.Objective), &each.Price, 1e-8, each)
			}
		}
	}
}

func TestThePriceMovesAsRecorded(t *testing.T) {
	for _, row := range golden.Prices {
		near(t, row.Feedback.Next(), &row.Next, 1e-13, row)
	}
}
