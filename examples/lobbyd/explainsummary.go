package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// summary returns the most likely answer to why a server is not listed, as it is now. The number
// of refusals that are not remembered is missed.
func (x *explanation) summary(missed uint64, since time.Time) string {
	if len(x.Bans) > 0 {
		return "The address is banned: all that it sends is dropped."
	}
	var all []string
	if i := slices.IndexFunc(x.Servers, func(s found) bool { return s.Hidden != "" }); i >= 0 {
		all = append(all, "Servers of the address are registered and hidden: "+x.Servers[i].Hidden+".")
	}
	if slices.ContainsFunc(x.Servers, func(s found) bool { return s.Hidden == "" }) {
		all = append(all, "Servers of the address are listed.")
	}
	what := "Not listed"
	if len(x.Servers) > 0 {
		what = "Besides them, something is not listed" // perhaps no server
	}
	if i := slices.IndexFunc(x.Refusals, func(r refused) bool { return !r.Over }); i >= 0 {
		r := x.Refusals[i]
		all = append(all, fmt.Sprintf("%s, at %s at the server %s: %s.", what, clock(r.Time), r.Server, r.Text))
	}
	if len(all) == 0 && len(x.Left) > 0 {
		of := x.Left[0]
		at := ""
		if of.Port != 0 {
			at = fmt.Sprintf(" at port %d", of.Port)
		}
		all = append(all, fmt.Sprintf("A server%s was listed until %s: %s.", at, clock(of.Until), of.Why))
	}
	if slices.ContainsFunc(x.Servers, func(s found) bool { return s.Local }) {
		all = append(all, "Players elsewhere cannot use an address of this machine or a private network: -map lists a "+
			"public one in its place.")
	}
	if len(all) > 0 {
		return strings.Join(all, " ")
	}
	text := "Nothing is known of the address lately: check the address and the port of the lobby in the settings of the " +
		"server, and firewalls on the way."
	if missed > 0 {
		text += fmt.Sprintf(" But since %s more has arrived than lobbyd can remember: %d heartbeats and requests are only "+
			"counted.", clock(since), missed)
	}
	return text
}
