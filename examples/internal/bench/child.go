package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"
)

// childArg, as the first argument, makes the process a child; the second argument is
// its kind. A child reads questions from standard input and writes answers to
// standard output, in JSON. It exits at the end of its input, so it does not outlive
// its parent.
const childArg = "child"

// Kinds maps kinds of children to their programs.
type Kinds map[string]func(questions *json.Decoder, answers *json.Encoder) error

// RunChild runs the program of a child and exits if the process is a child. Otherwise
// it returns.
func (k Kinds) RunChild() {
	if len(os.Args) < 3 || os.Args[1] != childArg {
		return
	}
	kind := os.Args[2]
	run := k[kind]
	if run == nil {
		fmt.Fprintf(os.Stderr, "no child %q\n", kind)
		os.Exit(2)
	}
	if err := run(json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)); err != nil && !errors.Is(err, io.EOF) {
		fmt.Fprintf(os.Stderr, "%s: %v\n", kind, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// A Child is a child process, as its parent sees it.
type Child struct {
	kind  string
	cmd   *exec.Cmd
	stdin io.Closer
	in    *json.Encoder
	out   *json.Decoder
}

// Start starts a child that runs Go code on the given number of processors; 0 means
// all.
func Start(ctx context.Context, kind string, processors int) (*Child, error) {
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
	return &Child{kind, cmd, stdin, json.NewEncoder(stdin), json.NewDecoder(stdout)}, nil
}

// Ask sends a question and reads the answer.
func (c *Child) Ask(question, answer any) error {
	err := c.in.Encode(question)
	if err == nil {
		err = c.out.Decode(answer)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.kind, err)
	}
	return nil
}

// Measure calls do, and returns how long it took and what the child used meanwhile. The
// program of the child must be AnswerUsage.
func (c *Child) Measure(do func() error) (spent Usage, wall time.Duration, err error) {
	var before, after Usage
	if err := c.Ask(struct{}{}, &before); err != nil {
		return spent, 0, err
	}
	start := time.Now()
	if err := do(); err != nil {
		return spent, 0, err
	}
	wall = time.Since(start)
	err = c.Ask(struct{}{}, &after)
	return after.Minus(before), wall, err
}

// AnswerUsage answers each question with the usage of this process, until the end of the
// input.
func AnswerUsage(in *json.Decoder, out *json.Encoder) error {
	return AnswerEach(in, out, func(struct{}) (Usage, error) { return Used() })
}

// AnswerEach answers each question, until the end of the input or an error.
func AnswerEach[Q, A any](in *json.Decoder, out *json.Encoder, answer func(Q) (A, error)) error {
	for {
		var question Q
		if err := in.Decode(&question); err != nil {
			return err
		}
		a, err := answer(question)
		if err != nil {
			return err
		}
		if err := out.Encode(a); err != nil {
			return err
		}
	}
}

// Pid returns the number of the process.
func (c *Child) Pid() int { return c.cmd.Process.Pid }

// End ends the child and waits for it.
func (c *Child) End() {
	c.stdin.Close()
	_ = c.cmd.Wait() // its errors have been reported
}
