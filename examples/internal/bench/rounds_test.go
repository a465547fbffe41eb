package bench

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestRoundsTakeTurns(t *testing.T) {
	var got []string
	sides := []string{"ours", "floor"}
	err := Rounds(2, time.Second, sides, func(sides []string, each time.Duration, counts bool) error {
		got = append(got, fmt.Sprint(sides, each, counts))
		return nil
	})
	const want = "[ours floor] 250ms false, [floor ours] 1s true, [ours floor] 1s true"
	if s := strings.Join(got, ", "); err != nil || s != want {
		t.Errorf("got %s, %v, want %s", s, err, want)
	}
}
