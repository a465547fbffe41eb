package service

import (
	"fmt"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

// Four clients that use up a host do not take it from one that queries it a little, and this one
// gets no more than that.
func TestRatesKeepAPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b budget
		b.begin(1)
		host, honest := netip.MustParseAddr("8.8.8.8"), netip.MustParseAddr("192.0.2.1")
		refused, most := 0, 0
		for second := range 60 {
			for i := range 4 * 100 {
				hog := netip.MustParseAddr(fmt.Sprintf("198.51.%d.%d", i%4, i%100))
				if b.visit(hog, []netip.Addr{host}) == nil {
					most++
				}
			}
			if b.visit(honest, []netip.Addr{host}) != nil {
				refused++
			}
			if second == 59 {
				for range 100 {
					if b.visit(honest, []netip.Addr{host}) == nil {
						most++
					}
				}
			}
			time.Sleep(time.Second)
		}
		if refused > 0 || most > 60*50+200 {
			t.Errorf("%d of 60 are refused, and all query it %d times in a minute", refused, most)
		}
	})
}
