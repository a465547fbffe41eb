package main

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/querytools"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// fast reports whether tests run a case.
func fast(c testCase) bool {
	return c.name == "recorded" || c.name == "0" || c.name == "16" || c.name == "Latin-1"
}

// The installed programs read servers as the tables of README.md show.
func TestFastCellsAreAsInTheTables(t *testing.T) {
	suite.Long(t, "programs of other projects")
	for _, table := range tables() {
		t.Run(table.name, func(t *testing.T) {
			committed, err := readTable("README.md", table.name)
			if err != nil {
				t.Fatal(err)
			}
			var few []testCase
			for _, c := range table.cases {
				if fast(c) {
					few = append(few, c)
				}
			}
			var installed []row
			for _, r := range table.rows {
				if err := r.checkInstalled(t.Context()); errors.Is(err, querytools.ErrMissing) {
					t.Logf("without %s and %s: %v", r.client, r.server, err)
					continue
				}
				installed = append(installed, r)
			}
			m, err := measure(t.Context(), installed, few)
			if err != nil {
				t.Fatal(err)
			}
			worse, err := m.compare(t.Context(), committed)
			if err != nil {
				t.Fatal(err)
			}
			for _, err := range worse {
				t.Error(err)
			}
		})
	}
}

// The tables have a cell for every row and case, and every failure has a footnote.
func TestTableIsWhole(t *testing.T) {
	for _, table := range tables() {
		text, err := readTable("README.md", table.name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text, "unexplained") {
			t.Errorf("%s: a failure has no explanation", table.name)
		}
		for _, r := range table.rows {
			for _, c := range table.cases {
				cell, ok := committed(text, r, c)
				if !ok || cell == "" {
					t.Errorf("no cell for %s, %s, %s", r.client, r.server, c.name)
				}
				if ok && cell != "whole" && cell != "–" && r.fault(c) == "" {
					t.Errorf("%s, %s, %s: %s without a reason", r.client, r.server, c.name, cell)
				}
			}
		}
	}
}

// compare finds a cell that is worse than in a table.
func TestWorseCellsAreFound(t *testing.T) {
	m := &matrix{rows: theirClients()[:1], cases: cases(16)[:2], cells: [][]cell{{{verdict: whole}, {verdict: whole}}}}
	table := m.table()
	if errs := m.worseThan(table); len(errs) > 0 {
		t.Errorf("the same cells: %v", errs)
	}
	m.cells[0][1] = cell{verdict: partly, lacks: "texts"}
	if errs := m.worseThan(table); len(errs) != 1 || !strings.Contains(errs[0].Error(), "partly: texts") {
		t.Errorf("a worse cell: %v", errs)
	}
	if errs := m.worseThan(""); len(errs) != 2 {
		t.Errorf("no table: %v", errs)
	}
}

// A proxy passes datagrams in both directions and drops about 5 % of them.
func TestProxyDropsItsShare(t *testing.T) {
	echo, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Skip(err)
	}
	defer echo.Close()
	go func() {
		buf := make([]byte, 16)
		for {
			n, from, err := echo.ReadFromUDPAddrPort(buf)
			if err != nil {
				return
			}
			echo.WriteToUDPAddrPort(buf[:n], from)
		}
	}()
	p, err := startProxy(netip.MustParseAddrPort(echo.LocalAddr().String()), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	c, err := net.Dial("udp", p.addr())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	// With this seed, the first datagram passes in both directions.
	if _, err := c.Write([]byte("ping")); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 16)
	if n, err := c.Read(buf); err != nil || string(buf[:n]) != "ping" {
		t.Fatalf("got %q, %v", buf[:n], err)
	}
	dropped := 0
	for range 10000 {
		if p.drops(p.there) {
			dropped++
		}
	}
	if dropped < 400 || dropped > 600 {
		t.Errorf("%d of 10000 dropped", dropped)
	}
}

// The tests that README.md names exist, in the files that it names.
func TestNamedTestsExist(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`\[([^\]]*`+"`Test"+`[^\]]*)\]\(([^)]+)\)`).FindAllStringSubmatch(string(text), -1)
	if len(links) == 0 {
		t.Error("no tests")
	}
	for _, l := range links {
		file, err := os.ReadFile(filepath.FromSlash(l[2]))
		if err != nil {
			t.Error(err)
		}
		for _, name := range regexp.MustCompile(`Test\w+`).FindAllString(l[1], -1) {
			if !strings.Contains(string(file), "func "+name+"(") {
				t.Errorf("%s has no %s", l[2], name)
			}
		}
	}
}
