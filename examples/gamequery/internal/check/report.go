package check

import (
	"bufio"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
)

// Schema describes the JSON of a check.
//
//go:embed schema.json
var Schema string

// A Document is a report with what is known of the server apart from the cases. Its JSON
// is as Schema describes.
type Document struct {
	Schema   int             `json:"schema"` // 1
	Protocol string          `json:"protocol"`
	Address  netip.AddrPort  `json:"address"`
	Verdict  string          `json:"verdict,omitzero"`
	Join     string          `json:"join,omitzero"` // where players join
	RTT      float64         `json:"rtt,omitzero"`  // milliseconds
	View     *lobbywire.View `json:"view,omitzero"`
	Foreign  *netip.AddrPort `json:"answersFrom,omitzero"` // another address from which answers came
	Hosts    int             `json:"hosts"`                // how many the cases asked from
	State    string          `json:"state"`                // "unknown", "expected" or "set"
	Misread  []string        `json:"misread"`              // what old clients misread
	Players  int             `json:"holds,omitzero"`       // how many players were shown
	Cases    []caseJSON      `json:"cases"`
	Passed   int             `json:"passed"`
	Failed   int             `json:"failed"`
	Skipped  int             `json:"skipped"`
	Sent     int             `json:"sent"`
	Received int             `json:"received"`
	Seed     uint64          `json:"seed"`
	Badge    string          `json:"badge"`

	report Report
	suite  *Suite
}

type caseJSON struct {
	ID       string       `json:"id"`
	Level    Level        `json:"level"`
	Sentence string       `json:"sentence"`
	Result   Result       `json:"result"`
	Why      string       `json:"why,omitzero"`
	Packets  []packetJSON `json:"packets,omitzero"`
}

type packetJSON struct {
	Client  int    `json:"client"` // 0, 1 or 2
	Sent    bool   `json:"sent"`   // else received
	Bytes   string `json:"bytes"`  // hexadecimal
	Meaning string `json:"meaning"`
}

// Complete adds a report to a document.
func (d *Document) Complete(suite *Suite, r Report) {
	d.Schema, d.report, d.suite = 1, r, suite
	d.Misread, d.Players, d.Sent, d.Received = append([]string{}, r.Misread...), r.Holds, r.Sent, r.Received
	d.Passed, d.Failed, d.Skipped = r.Count(Pass, ""), r.Count(Fail, ""), r.Count(Skipped, "")
	d.Cases = []caseJSON{}
	for _, f := range r.Findings {
		c := caseJSON{ID: f.ID, Level: f.Level, Sentence: f.Sentence, Result: f.Result, Why: f.Why}
		for _, p := range f.shown() {
			c.Packets = append(c.Packets, packetJSON{p.Source, p.Sent, hex.EncodeToString(p.Bytes), suite.Explain(p)})
		}
		d.Cases = append(d.Cases, c)
	}
	d.Badge = fmt.Sprintf("%s: %d of %d cases pass", d.Protocol, d.Passed, d.Passed+d.Failed)
}

// maxShown is how many packets of a finding are shown: the last ones.
const maxShown = 4

// shown returns the packets that are shown.
func (f Finding) shown() []Packet { return f.Packets[max(0, len(f.Packets)-maxShown):] }

// WriteJSON writes the document as a line of JSON.
func (d *Document) WriteJSON(w io.Writer) error {
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	_, err = w.Write(append(terminal.EscapeControls(text), '\n'))
	return err
}

// WriteText writes the document for people. The last line is for a badge.
func (d *Document) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	if d.Foreign != nil {
		fmt.Fprintf(out, "Answers also came from %s. Clients ignore them, and so do firewalls.\n", d.Foreign)
	}
	for _, text := range d.Misread {
		fmt.Fprintf(out, "Old clients: %s.\n", terminal.Printable(text))
	}
	if d.Players > 0 {
		fmt.Fprintf(out, "Players: %d are shown%s.\n", d.Players, orMore(d.Players))
	}
	fmt.Fprintln(out)
	const narrow = 14
	width := max(narrow, len(d.Protocol)+len("/1.10")) // of IDs
	for _, f := range d.report.Findings {
		if f.Why == needsSet.Error() {
			continue // which the end of the text says once
		}
		fmt.Fprintf(out, "%-7s  %-6s  %-*s %s\n", strings.Replace(string(f.Result), "fail", "FAIL", 1), f.Level, width, f.ID,
			terminal.Printable(f.Sentence))
		if f.Why != "" {
			fmt.Fprintf(out, "         %s\n", terminal.Printable(f.Why))
		}
		for _, p := range f.shown() {
			direction := "received"
			if p.Sent {
				direction = "sent"
			}
			fmt.Fprintf(out, "         client %d %s %s:\n", p.Source, direction, terminal.Count(len(p.Bytes), "byte"))
			for line := range strings.Lines(d.suite.Explain(p)) {
				fmt.Fprint(out, "           "+line)
			}
		}
	}
	fmt.Fprintln(out)
	if d.State == stateUnknown && d.suite.show != nil {
		fmt.Fprintln(out, "The state of the game is unknown. Without -expect or -set no case finds wrong numbers of\n"+
			"players, swapped texts, a port in the other byte order, cut texts or an old state.")
	}
	if d.Hosts == 1 && d.suite.sources > 1 {
		fmt.Fprintln(out, "All clients were on one host, so a token of another host was one of another port.")
	}
	fmt.Fprintf(out, "sent %d, received %d\n%s\n", d.Sent, d.Received, d.Badge)
	return out.Flush()
}

// The values of Document.State.
const (
	stateUnknown  = "unknown"
	stateExpected = "expected"
	stateSet      = "set"
)

// StateOf returns the value of Document.State for a run.
func StateOf(o Options) string {
	switch {
	case o.Set != nil:
		return stateSet
	case o.Expect != nil:
		return stateExpected
	}
	return stateUnknown
}

// orMore is the words after the number of players that a server shows.
func orMore(players int) string {
	if players == crowds[len(crowds)-1] {
		return ", and perhaps more"
	}
	return fmt.Sprintf(", and not %d", next(players))
}

// next returns the number of players that was tried after another.
func next(players int) int {
	for _, n := range crowds {
		if n > players {
			return n
		}
	}
	return players
}

// WriteJUnit writes the report in the form of JUnit, which most services for CI show.
func (d *Document) WriteJUnit(w io.Writer) error {
	type message struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	type testCase struct {
		Class   string   `xml:"classname,attr"`
		Name    string   `xml:"name,attr"`
		Failure *message `xml:"failure"`
		Skipped *message `xml:"skipped"`
	}
	suite := struct {
		XMLName  xml.Name   `xml:"testsuite"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Skipped  int        `xml:"skipped,attr"`
		Cases    []testCase `xml:"testcase"`
	}{Name: "gamequery check " + d.Protocol, Tests: len(d.Cases), Failures: d.Failed, Skipped: d.Skipped}
	for _, c := range d.Cases {
		t := testCase{Class: d.Protocol + "." + string(c.Level), Name: c.ID + " " + terminal.Printable(c.Sentence)}
		why := terminal.Printable(c.Why)
		switch c.Result {
		case Fail:
			var text strings.Builder
			for _, p := range c.Packets {
				text.WriteString(p.Bytes + "\n" + p.Meaning)
			}
			t.Failure = &message{why, text.String()}
		case Skipped:
			t.Skipped = &message{Message: why}
		}
		suite.Cases = append(suite.Cases, t)
	}
	text, err := xml.MarshalIndent(suite, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(text)+"\n")
	return err
}

// Milliseconds returns a duration for a Document.
func Milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
