package main

import (
	"fmt"
	"net"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

// An address is an address to listen on; the zero value means none. It is not a
// string, because the decoder of the file would accept any string.
type address struct{ hostPort string }

// UnmarshalText reads "host:port", ":9990", "9990", "" or "off".
func (a *address) UnmarshalText(text []byte) error {
	s := string(text)
	if s == "" || s == "off" {
		*a = address{}
		return nil
	}
	if cli.IsPort(s) {
		s = ":" + s
	}
	if cli.CheckListen(s) != nil {
		return fmt.Errorf("%q is not an address to listen on: write host:port, :port or off", text)
	}
	*a = address{s}
	return nil
}

func (a address) MarshalText() ([]byte, error) {
	if a.off() {
		return []byte("off"), nil
	}
	return []byte(a.hostPort), nil
}

func (a address) off() bool { return a.hostPort == "" }

// moved returns a with offset added to its port, unless that is 0.
func (a address) moved(offset int) (address, error) {
	if a.off() {
		return a, nil
	}
	host, text, err := net.SplitHostPort(a.hostPort)
	if err != nil {
		return a, err
	}
	port, err := strconv.Atoi(text)
	if err != nil || port == 0 {
		return a, err
	}
	port += offset
	if port < 1 || port > 1<<16-1 {
		return a, fmt.Errorf("offset %d moves %s beyond the valid ports", offset, a.hostPort)
	}
	return address{net.JoinHostPort(host, strconv.Itoa(port))}, nil
}

// A duration is written as in "10s", or with days as in "30d" and "1d12h".
type duration time.Duration

const (
	day     = 24 * time.Hour
	maxDays = 100 * 365
)

// UnmarshalText parses as [time.ParseDuration] does, after a number of days. It refuses
// negative times, and times of more than a hundred years.
func (d *duration) UnmarshalText(text []byte) error {
	var days uint64
	var rest time.Duration
	var err error
	before, after, hasDays := strings.Cut(string(text), "d")
	if hasDays {
		days, err = strconv.ParseUint(before, 10, 16)
	} else {
		after = before
	}
	if err == nil && (after != "" || !hasDays) {
		rest, err = time.ParseDuration(after)
	}
	if err != nil || rest < 0 || strings.HasPrefix(after, "-") {
		return fmt.Errorf("%q is not a time: write it as 10s, 1m30s or 30d", text)
	}
	if days > maxDays || rest > maxDays*day-time.Duration(days)*day {
		return fmt.Errorf("%q is more than a hundred years", text)
	}
	*d = duration(time.Duration(days)*day + rest)
	return nil
}

func (d duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// A pattern is a regular expression.
type pattern struct{ *regexp.Regexp }

// UnmarshalText parses as [regexp.Compile] does. It refuses an empty pattern.
func (p *pattern) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		return fmt.Errorf("an empty pattern would ban everybody")
	}
	compiled, err := regexp.Compile(string(text))
	if err != nil {
		return err
	}
	p.Regexp = compiled
	return nil
}
