package check

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
)

// A junitMessage is the reason why a test case did not pass.
type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitMessage `xml:"failure"`
	Error   *junitMessage `xml:"error"`
	Skipped *junitMessage `xml:"skipped"`
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

// WriteJUnit writes the report in the form of JUnit, which most services for CI show. down is the
// error of a run that did not begin or was stopped, or nil.
func (d *Document) WriteJUnit(w io.Writer, down error) error {
	suite := junitSuite{
		Name: "gamequery check " + d.Protocol, Tests: len(d.Cases), Failures: d.Failed, Skipped: d.Skipped,
		Time: seconds(d.took),
	}
	for _, c := range d.Cases {
		t := junitCase{
			Class: d.Protocol + "." + string(c.Level), Name: c.ID + " " + terminal.Printable(c.Sentence),
			Time: seconds(time.Duration(c.Time * float64(time.Millisecond))),
		}
		why := terminal.Printable(c.Why)
		switch c.Result {
		case Fail:
			var text strings.Builder
			for _, p := range c.Packets {
				text.WriteString(p.Bytes + "\n" + p.Meaning)
			}
			t.Failure = &junitMessage{why, text.String()}
		case Skip:
			t.Skipped = &junitMessage{Message: why}
		}
		suite.Cases = append(suite.Cases, t)
	}
	if down != nil {
		suite.Tests++
		suite.Errors++
		suite.Cases = append(suite.Cases, junitCase{
			Class: d.Protocol, Name: "the server answers", Time: seconds(0),
			Error: &junitMessage{Message: terminal.Printable(down.Error())},
		})
	}
	text, err := xml.MarshalIndent(suite, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(text)+"\n")
	return err
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
