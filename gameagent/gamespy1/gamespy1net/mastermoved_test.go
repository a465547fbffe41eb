package gamespy1net_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// nativeHost answers as a native server does: a challenge with a heartbeat.
func nativeHost(product string) func(req string) []string {
	return func(req string) []string {
		c, err := gameagent.ParseChallenge([]byte(req))
		if err != nil {
			return nil
		}
		return []string{fmt.Sprintf(
			"0;challenge;%d;players;1;maxplayers;8;level;Karnak;gametype;Coop;version;1.10;product;%s",
			c.Challenge, product)}
	}
}

// A native server that comes back at another port of its address takes the place of the old one,
// which no longer answers. Servers that answer stay, and so do other servers.
func TestNativeServerThatComesBackElsewhereIsListedOnce(t *testing.T) {
	old := netip.AddrPortFrom(gameServer.Addr(), 25601)
	for _, tt := range []struct {
		name     string
		at       netip.AddrPort // of the new one
		product  string         // of the new one
		oldRuns  bool
		wantsOld bool
	}{
		{"silent", netip.AddrPortFrom(old.Addr(), 25701), "serioussamse", false, false},
		{"answers", netip.AddrPortFrom(old.Addr(), 25701), "serioussamse", true, true},
		{"another product", netip.AddrPortFrom(old.Addr(), 25701), "serioussamfe", false, true},
		{"another address", otherServer, "serioussamse", false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := serveGameSpy(t, new(gamespy1net.Master))
				received := 0
				send, stop := n.host(t, old, func(req string) []string {
					received++
					return nativeHost("serioussamse")(req)
				})
				send("q")
				time.Sleep(10 * time.Second)
				expectListed(t, n.m, old)
				if !tt.oldRuns {
					stop()
				}
				before := received
				send, stopNew := n.host(t, tt.at, nativeHost(tt.product))
				send("q")
				time.Sleep(5 * time.Second)
				if tt.wantsOld {
					expectListed(t, n.m, old, tt.at)
				} else {
					expectListed(t, n.m, tt.at)
				}
				if received > before+3 {
					t.Errorf("%d challenges", received-before)
				}
				stop()
				stopNew()
				n.close(t)
			})
		})
	}
}

// A restarted host of many servers is asked for few of them at once, and all old ones go in time.
func TestManyNativeServersOfOneAddressMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := new(gamespy1net.Master)
		m.Limits.MaxPerAddress = 100
		n := serveGameSpy(t, m)
		at := func(i int) netip.AddrPort { return netip.AddrPortFrom(gameServer.Addr(), uint16(25001+2*i)) }
		var now []netip.AddrPort
		var running []func()
		for i := range 40 {
			send, stop := n.host(t, at(i), nativeHost("serioussamse"))
			send("q")
			time.Sleep(time.Second)
			if i < 20 {
				stop()
			} else {
				now = append(now, at(i))
				running = append(running, stop)
			}
		}
		time.Sleep(10 * time.Second)
		expectListed(t, m, now...)
		for _, stop := range running {
			stop()
		}
		n.close(t)
	})
}

// A server of GameSpy with the same name takes the place of a silent one.
func TestGameSpyServerThatComesBackElsewhereIsListedOnce(t *testing.T) {
	for _, tt := range []struct {
		name, hostName string // of the new one
		oldRuns        bool
		wantsOld       bool
	}{
		{"silent", "", false, false},
		{"answers", "", true, true},
		{"another name", "Another", false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				at := netip.AddrPortFrom(gameServer.Addr(), gameServer.Port()+100)
				n := serveGameSpy(t, new(gamespy1net.Master))
				send, stop := n.host(t, gameServer, stock)
				send(stockHeartbeat)
				time.Sleep(10 * time.Second)
				expectListed(t, n.m, gameServer)
				if !tt.oldRuns {
					stop()
				}
				send, stopNew := n.host(t, at, func(req string) []string {
					all := stock(req)
					for i := range all {
						if tt.hostName != "" {
							_, rest, _ := strings.Cut(all[i], `\hostname\`)
							_, rest, _ = strings.Cut(rest, `\`)
							all[i] = `\hostname\` + tt.hostName + `\` + rest
						}
					}
					return all
				})
				send(strings.Replace(stockHeartbeat, "25601", fmt.Sprint(at.Port()), 1))
				time.Sleep(5 * time.Second)
				if tt.wantsOld {
					expectListed(t, n.m, gameServer, at)
				} else {
					expectListed(t, n.m, at)
				}
				stop()
				stopNew()
				n.close(t)
			})
		})
	}
}
