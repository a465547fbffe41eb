package wzhttpnet

import (
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// resultsShown is the time after publication for which the answers to the host list all
// results of checks.
const resultsShown = 20 * time.Second

// hostStatus returns the answer to the host. If the game is withheld because it has stopped
// answering, all connections are reported as failed, but the game as published: otherwise
// hosts of 4.7 end their listing permanently.
func hostStatus(e *warzonegames.Entry) wzhttp.Status {
	s := wzhttp.Status{GameID: gameIDOf(e.ID), Published: e.Published(), Connections: []wzhttp.ConnectionStatus{}}
	for _, a := range addressesOf(e) {
		if e.Unreachable {
			a.Status = wzhttp.ValidationError
		}
		s.Connections = append(s.Connections, wzhttp.ConnectionStatus{Type: a.Kind, Status: a.Status})
	}
	return s
}

// addressesOf returns a copy of the addresses that the host has announced. For a game
// published some time ago or at another node, it returns the listed addresses and those
// being checked.
func addressesOf(e *warzonegames.Entry) (all []gamelist.AnnouncedAddress) {
	announced := slices.Clone(e.HTTP.Announced)
	if !e.Published() || len(announced) > 0 && time.Since(e.Opened) < resultsShown {
		return announced
	}
	for _, at := range listedAt(e) {
		a := gamelist.AnnouncedAddress{Kind: kindOf(at), At: at, Status: wzhttp.ValidationValidated}
		all = append(all, a)
	}
	return append(all, slices.DeleteFunc(announced, func(a gamelist.AnnouncedAddress) bool {
		return a.Status != wzhttp.ValidationSubmitted
	})...)
}

// listedAt returns the addresses at which a game is listed.
func listedAt(e *warzonegames.Entry) []netip.AddrPort {
	if e.Second.IsValid() {
		return []netip.AddrPort{e.Key, e.Second}
	}
	return []netip.AddrPort{e.Key}
}

// reachedAt returns the validated addresses, IPv4 first, which clients before 4.7 prefer.
func reachedAt(e *warzonegames.Entry) (all []netip.AddrPort) {
	for _, a := range e.HTTP.Announced {
		if a.Status == wzhttp.ValidationValidated {
			all = append(all, a.At)
		}
	}
	slices.SortStableFunc(all, func(a, b netip.AddrPort) int { return a.Addr().BitLen() - b.Addr().BitLen() })
	return all
}

// kindOf returns the connection type of an address.
func kindOf(a netip.AddrPort) wzhttp.ConnectionType {
	if a.Addr().Is4() {
		return wzhttp.TCP4
	}
	return wzhttp.TCP6
}
