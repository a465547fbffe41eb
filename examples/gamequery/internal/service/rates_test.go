package service

import (
	"fmt"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

// Eight prefixes that use up a host do not take it from one that queries it a little. Alone, one
// may use all of it.
func TestRatesKeepAPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b budget
		b.begin(1)
		host, honest := netip.MustParseAddr("8.8.8.8"), netip.MustParseAddr("192.0.2.1")
		refused, most := 0, 0
		for range 60 {
			for i := range 8 * 50 {
				hog := netip.MustParseAddr(fmt.Sprintf("198.51.%d.%d", i%8, i%100))
				if b.visit(hog, []netip.Addr{host}) == nil {
					most++
				}
			}
			for range 4 {
				if b.visit(honest, []netip.Addr{host}) != nil {
					refused++
				}
			}
			time.Sleep(time.Second)
		}
		if refused > 0 || most > 60*50+200 {
			t.Errorf("%d of 240 are refused, and others query it %d times in a minute", refused, most)
		}
		time.Sleep(time.Minute)
		most = 0
		for range 400 {
			if b.visit(honest, []netip.Addr{host}) == nil {
				most++
			}
			time.Sleep(25 * time.Millisecond)
		}
		if most < 400 {
			t.Errorf("alone, 40 a second for 10 s are allowed %d times", most)
		}
	})
}
