package terminal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// ErrLeft is the error of a pager whose reader has quit.
var ErrLeft = errors.New("left")

// A pager waits after each page of a terminal for the reader.
type pager struct {
	out    io.Writer
	in     *bufio.Reader
	height int // of the terminal
	lines  int // on this page
}

// PagerOf returns the output of a command, by pages if its input and output are
// terminals.
func PagerOf(cmd *cobra.Command) io.Writer {
	out, in := cmd.OutOrStdout(), cmd.InOrStdin()
	f, ok := out.(*os.File)
	if input, is := in.(*os.File); !ok || !is || !IsTerminal(out) || !term.IsTerminal(int(input.Fd())) {
		return out
	}
	_, height, err := term.GetSize(int(f.Fd()))
	if err != nil || height < 3 {
		return out
	}
	return &pager{out: out, in: bufio.NewReader(in), height: height}
}

func (p *pager) Write(b []byte) (n int, err error) {
	for line := range bytes.Lines(b) {
		if p.lines == p.height-1 {
			if err := p.wait(); err != nil {
				return n, err
			}
		}
		if _, err := p.out.Write(line); err != nil {
			return n, err
		}
		n += len(line)
		if line[len(line)-1] == '\n' {
			p.lines++
		}
	}
	return n, nil
}

// wait waits for a line. The end of input is the end of the tour, too.
func (p *pager) wait() error {
	fmt.Fprint(p.out, "-- enter for more, q and enter to end -- ")
	line, err := p.in.ReadString('\n')
	if err != nil || strings.HasPrefix(strings.TrimSpace(line), "q") {
		return ErrLeft
	}
	p.lines = 0
	return nil
}
