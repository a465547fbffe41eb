package querytools

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// Qstat queries with a flag of qstat: "-gs2", "-gs3", "-gs4" or "-sms".
func Qstat(flag string) Tool { return qstat("qstat "+flag, flag, "-P", "-R", "-nnx") }

// QstatBasic queries with a flag of qstat, and requests neither players nor rules.
func QstatBasic(flag string) Tool { return qstat("qstat "+flag+", basic", flag) }

func qstat(name, flag string, what ...string) Tool {
	fields := []string{"score", "ping", "team"}
	if flag == "-sms" {
		fields = []string{"frags", "ping"}
	}
	t := Script(name, func(ctx context.Context, addr string) (Answer, error) {
		if flag == "-sms" {
			addr = gamePort(addr)
		}
		args := append([]string{flag, addr, "-raw", ";", "-timeout", "2", "-retry", "2"}, what...)
		out, err := output(ctx, "quakestat", args...)
		if err != nil {
			return Answer{}, err
		}
		return parseQstat(out, fields)
	})
	t.Program = "quakestat"
	return t
}

// gamePort returns the address of the game: qstat queries the next port for -sms.
func gamePort(addr string) string {
	query, err := netip.ParseAddrPort(addr)
	if err != nil {
		return addr
	}
	return netip.AddrPortFrom(query.Addr(), query.Port()-1).String()
}

// parseQstat parses the server's line and, if they were requested, its rules, and a
// line for each player, the last first.
func parseQstat(out string, fields []string) (Answer, error) {
	lines := strings.Split(strings.TrimRight(out, "\n"), "\n")
	server := strings.Split(lines[0], ";")
	if len(server) < 6 {
		return Answer{}, fmt.Errorf("output %q", out)
	}
	limit, err := strconv.Atoi(server[4])
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Name: server[2], Map: server[3], MaxPlayers: limit, Rules: map[string]string{"numplayers": server[5]}}
	if len(lines) == 1 {
		return a, nil
	}
	for _, rule := range strings.Split(lines[1], ";") {
		key, value, _ := strings.Cut(rule, "=")
		a.Rules[key] = value
	}
	for _, line := range lines[2:] {
		if line == "" {
			continue
		}
		values := strings.Split(line, ";")
		p := Player{Name: values[0], Fields: map[string]string{}}
		for i, value := range values[1:min(len(values), len(fields)+1)] {
			p.Fields[fields[i]] = value
		}
		a.Players = append(a.Players, p)
	}
	slices.Reverse(a.Players)
	return a, nil
}
