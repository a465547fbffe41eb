package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
)

// childArg, first on the command line, makes a process a child, of the kind that
// comes second. A child reads questions from standard input and writes answers
// to standard output, in JSON. It ends with its input, so it does not outlive
// its parent.
const childArg = "child"

// Kinds of children.
const (
	kindServer = "server" // answers a load
	kindLoad   = "load"   // makes it
	kindFarm   = "farm"   // is many servers
	kindScan   = "scan"   // asks them

	kindMasterLoad = "masterload" // is many servers that a master lists, and asks for the list
)

// runChild is the program of a child.
func runChild(kind string, stdin io.Reader, stdout, stderr io.Writer) int {
	kinds := map[string]func(*json.Decoder, *json.Encoder) error{
		kindServer: serverChild,
		kindLoad:   loadChild,
		kindFarm:   farmChild,
		kindScan:   scanChild,

		kindMasterLoad: masterLoadChild,
	}
	run := kinds[kind]
	if run == nil {
		fmt.Fprintf(stderr, "udpbench: no child %q\n", kind)
		return exitUsage
	}
	if err := run(json.NewDecoder(stdin), json.NewEncoder(stdout)); err != nil && !errors.Is(err, io.EOF) {
		fmt.Fprintf(stderr, "udpbench: %s: %v\n", kind, err)
		return exitFailed
	}
	return exitOK
}

// A child is a process of this program, as its parent sees it.
type child struct {
	kind  string
	cmd   *exec.Cmd
	stdin io.Closer
	in    *json.Encoder
	out   *json.Decoder
}

// startChild starts a child that runs Go code on so many processors, 0 for all.
func startChild(ctx context.Context, kind string, processors int) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, childArg, kind)
	if processors > 0 {
		cmd.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(processors))
	}
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &child{kind, cmd, stdin, json.NewEncoder(stdin), json.NewDecoder(stdout)}, nil
}

// ask sends a question and reads the answer.
func (c *child) ask(question, answer any) error {
	err := c.in.Encode(question)
	if err == nil {
		err = c.out.Decode(answer)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.kind, err)
	}
	return nil
}

// end ends the child and waits for it.
func (c *child) end() {
	c.stdin.Close()
	_ = c.cmd.Wait() // what went wrong was told before
}
