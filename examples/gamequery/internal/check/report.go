package check

import (
	"bufio"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
)

// Schema describes the JSON of a check.
//
//go:embed schema.json
var Schema string

// Limits of what reports show: bytes and explanation of a packet, and all explanations.
const (
	maxBytes      = 4 << 10
	maxMeaning    = 8 << 10
	maxAllMeaning = 1 << 20
)

// A Document is a report, with facts about the server that do not come from cases. Schema
// describes its JSON.
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
	Stopped  string          `json:"stopped,omitzero"` // why not all cases were run
	Sent     int             `json:"sent"`
	Received int             `json:"received"`
	Seed     uint64          `json:"seed"`
	Badge    string          `json:"badge"`

	suite *Suite
	took  time.Duration
	room  int // for explanations
}

type caseJSON struct {
	ID       string       `json:"id"`
	Level    Level        `json:"level"`
	Sentence string       `json:"sentence"`
	Source   string       `json:"source"`
	Result   Result       `json:"result"`
	Why      string       `json:"why,omitzero"`
	Like     string       `json:"like,omitzero"` // an earlier case that failed for the same reason
	Time     float64      `json:"time"`          // milliseconds
	Packets  []packetJSON `json:"packets,omitzero"`
}

type packetJSON struct {
	Client  int    `json:"client"` // 0, 1 or 2
	Sent    bool   `json:"sent"`   // else received
	Size    int    `json:"size"`
	Bytes   string `json:"bytes"` // hexadecimal, the first ones
	Meaning string `json:"meaning"`
}

// NewDocument returns the document of a run, without findings.
func NewDocument(suite *Suite) *Document {
	return &Document{Schema: 1, Protocol: suite.Protocol, Cases: []caseJSON{}, Misread: []string{}, suite: suite,
		room: maxAllMeaning}
}

// Add adds a finding.
func (d *Document) Add(f Finding) {
	c := caseJSON{
		ID: f.ID, Level: f.Level, Sentence: f.Sentence, Source: f.Source, Result: f.Result, Why: f.Why(), Like: f.Like,
		Time: Milliseconds(f.Took),
	}
	for _, p := range f.Packets {
		c.Packets = append(c.Packets, packetJSON{
			p.Source, p.Sent, p.Size, hex.EncodeToString(p.Bytes[:min(len(p.Bytes), maxBytes)]), d.explain(p),
		})
	}
	d.Cases = append(d.Cases, c)
}

// explain returns the meaning of a packet, or of the start of a long one, as long as there is
// room.
func (d *Document) explain(p Packet) string {
	if d.room <= 0 {
		return "not shown: the report has 1 MiB of packets\n"
	}
	service := d.suite.Service
	if p.Stream {
		service = d.suite.Lists
	}
	text := Explain(p, service, d.suite.Options)
	if len(text) > maxMeaning {
		text = text[:strings.LastIndexByte(text[:maxMeaning], '\n')+1] + "...\n"
	}
	d.room -= len(text)
	return text
}

// Explain returns the meaning of a packet of a service, as in a capture of the packet and its
// request.
func Explain(p Packet, service traffic.Service, o formats.Options) string {
	server, client := netip.AddrPort{}, netip.AddrPortFrom(netip.IPv4Unspecified(), 1)
	conversation := service.Session(server, o)
	read := func(to netip.AddrPort, b []byte) string {
		var text strings.Builder
		r := conversation.Read(capture.Sent{To: to, Stream: service.Stream, Data: b})
		_ = r.Explain(&text, b, r.Options) // the text has the error
		return text.String()
	}
	if p.Sent {
		return read(server, p.Bytes)
	}
	if p.Request != nil {
		read(server, p.Request)
	}
	return read(client, p.Bytes)
}

// Complete adds the results of a whole run.
func (d *Document) Complete(r Report) {
	d.Misread = append(d.Misread, r.Misread...)
	d.Players, d.Sent, d.Received, d.Stopped, d.took = r.Holds, r.Sent, r.Received, r.Stopped, r.Took
	d.Passed, d.Failed, d.Skipped = r.Count(Pass, ""), r.Count(Fail, ""), r.Count(Skip, "")
	var parts []string
	for _, level := range []Level{Must, Should, Robust} {
		if passed := r.Count(Pass, level); passed+r.Count(Fail, level) > 0 {
			parts = append(parts, fmt.Sprintf("%s %d of %d", level, passed, passed+r.Count(Fail, level)))
		}
	}
	d.Badge = d.Protocol + ": no case passes or fails"
	if parts != nil {
		d.Badge = d.Protocol + ": " + strings.Join(parts, ", ") + " pass"
	}
}

// WriteJSON writes the document as a line of JSON.
func (d *Document) WriteJSON(w io.Writer) error {
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	_, err = w.Write(append(terminal.EscapeControls(text), '\n'))
	return err
}

// WriteCase writes the last finding for people.
func (d *Document) WriteCase(w io.Writer) error {
	c := d.Cases[len(d.Cases)-1]
	if c.Why == string(NeedsSet) {
		return nil // which the end of the text says once
	}
	out := bufio.NewWriter(w)
	const narrow = 14
	width := max(narrow, len(d.Protocol)+len("/1.10")) // of IDs
	fmt.Fprintf(out, "%-7s  %-6s  %-*s %s\n", strings.Replace(string(c.Result), "fail", "FAIL", 1), c.Level, width, c.ID,
		terminal.Printable(c.Sentence))
	if c.Why != "" {
		fmt.Fprintf(out, "         %s\n", terminal.Printable(c.Why))
	}
	for _, p := range c.Packets {
		direction := "received"
		if p.Sent {
			direction = "sent"
		}
		fmt.Fprintf(out, "         client %d %s %s:\n", p.Client, direction, terminal.Count(p.Size, "byte"))
		for line := range strings.Lines(p.Meaning) {
			fmt.Fprint(out, "           "+line)
		}
	}
	return out.Flush()
}

// WriteEnd writes the rest for people. The last line is for a badge.
func (d *Document) WriteEnd(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out)
	if d.Foreign != nil {
		fmt.Fprintf(out, "Answers also came from %s. Clients ignore them, and so do firewalls.\n", d.Foreign)
	}
	for _, text := range d.Misread {
		fmt.Fprintf(out, "Old clients: %s.\n", terminal.Printable(text))
	}
	if d.Players > 0 {
		fmt.Fprintf(out, "Players: %d are shown%s.\n", d.Players, orMore(d.Players))
	}
	if d.Stopped != "" {
		fmt.Fprintf(out, "Stopped: %s.\n", d.Stopped)
	}
	if d.State == stateUnknown && d.suite.States != nil {
		fmt.Fprintln(out, "The state of the game is unknown. Without -expect or -set no case finds wrong numbers of\n"+
			"players, swapped texts, a port in the other byte order, cut texts or an old state.")
	}
	if d.Hosts == 1 && d.suite.Sources > 1 {
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

// NeedsSet is the reason to skip cases that set states.
const NeedsSet Skipped = "needs -set"

// Crowds returns the numbers of players that a server has in turn, to find out how many
// it can show.
func Crowds() []int { return []int{16, 32, 64, 100, 128, 200, 255} }

// orMore is the words after the number of players that a server shows.
func orMore(players int) string {
	for _, n := range Crowds() {
		if n > players {
			return fmt.Sprintf(", and not %d", n)
		}
	}
	return ", and perhaps more"
}

// Milliseconds returns a duration for a Document.
func Milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
