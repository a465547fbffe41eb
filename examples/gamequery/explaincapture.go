package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/examples/internal/input"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
)

// A commented is a capture that explain writes with comments.
type commented struct {
	name, out, only string
	frames          *capture.Reader
	commenter       *traffic.Commenter
	live            bool // the packets arrive one by one
}

// run writes the capture.
func (c *commented) run(cmd *cobra.Command, in *messageReader, o formats.Options) error {
	if c.out == input.Stdin && terminal.IsTerminal(cmd.OutOrStdout()) {
		return usage.Bad(cmd, "-w -: a terminal cannot show a capture")
	}
	if err := c.open(cmd, in, o); err != nil {
		return err
	}
	if c.out == input.Stdin {
		return c.write(cmd, cmd.OutOrStdout())
	}
	f, err := os.Create(c.out)
	if err != nil {
		return err
	}
	return errors.Join(c.write(cmd, f), f.Close())
}

// open reads the capture, or its header if it is standard input.
func (c *commented) open(cmd *cobra.Command, in *messageReader, o formats.Options) (err error) {
	c.live = c.name == input.Stdin
	from := cmd.InOrStdin()
	if !c.live {
		b, err := in.Raw(c.name)
		switch {
		case err != nil:
			return notCapture(cmd, c.name, err)
		case !capture.Is(b):
			return usage.Bad(cmd, "%s is not a capture, which -w needs", c.name)
		}
		file, _ := capture.Read(b) // write gets the same error
		c.commenter = traffic.NewCommenter(file, c.only, o)
		from = bytes.NewReader(b)
	} else {
		c.commenter = traffic.NewLiveCommenter(c.only, o)
	}
	c.frames, err = capture.NewReader(from)
	return c.named(err)
}

// write writes all packets, each at once if the capture is standard input.
func (c *commented) write(cmd *cobra.Command, to io.Writer) error {
	w := capture.NewWriter(to)
	for packets := 0; ; packets++ {
		f, err := c.frames.Next()
		if err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "%d packets, %d explained messages\n", packets, c.commenter.Explained())
			if err == io.EOF {
				err = nil
			}
			return errors.Join(c.named(err), w.Flush())
		}
		c.commenter.Comment(&f)
		err = w.Write(f)
		if err == nil && c.live {
			err = w.Flush()
		}
		if err != nil {
			return err
		}
	}
}

// named returns an error with the name of the capture.
func (c *commented) named(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", c.name, err)
}
