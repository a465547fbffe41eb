package querytools

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"sync"
)

// ErrMissing is the error of tools that are not installed.
var ErrMissing = errors.New("not installed")

// A Tool is a query tool with one of its ways to query.
type Tool struct {
	Name string // such as "qstat -gs3"

	Program string // "" if none is needed
	Run     func(ctx context.Context, addrs []string) []Result

	pkg string // the npm package that node needs, if any
}

// A Result is the output of a tool about a server, or its error.
type Result struct {
	Answer Answer
	Err    error
}

// An Answer is the output of a tool about a server. Texts are as printed: qstat prints the
// bytes of the wire, the others decode them.
type Answer struct {
	Name, Map  string
	MaxPlayers int
	Players    []Player // in the order of the server
	Rules      map[string]string
}

// A Player is the output of a tool about a player.
type Player struct {
	Name   string
	Fields map[string]string // such as score and ping; nil if the tool has only names
}

// Script returns a Tool that queries with a function. It stands for a program that
// cannot be installed.
func Script(name string, query func(ctx context.Context, addr string) (Answer, error)) Tool {
	return Tool{Name: name, Run: func(ctx context.Context, addrs []string) []Result {
		results := make([]Result, len(addrs))
		var all sync.WaitGroup
		for i, addr := range addrs {
			all.Go(func() { results[i].Answer, results[i].Err = query(ctx, addr) })
		}
		all.Wait()
		return results
	}}
}

// Installed returns an error that wraps ErrMissing if the tool is not installed.
func (t Tool) Installed(ctx context.Context) error {
	if t.Program == "" {
		return nil
	}
	path, err := exec.LookPath(t.Program)
	if err != nil {
		return fmt.Errorf("%s: %w", t.Program, ErrMissing)
	}
	if t.pkg == "" {
		return nil
	}
	// A package that needs others, or another version of node, fails only when it is loaded.
	if _, err := output(ctx, path, "-e", "require(process.argv[1]); process.exit()", t.pkg); err != nil {
		return fmt.Errorf("npm package %s: %w; NODE_PATH names a folder of packages: %s", t.pkg, ErrMissing,
			regexp.MustCompile(`(?m)^\w*Error.*|\z`).FindString(err.Error()))
	}
	return nil
}

// Query runs the tool against servers, each an address and a port, and returns a
// result for each.
func (t Tool) Query(ctx context.Context, addrs ...string) []Result {
	results := t.Run(ctx, addrs)
	for i := range results {
		if results[i].Err != nil {
			results[i].Err = fmt.Errorf("%s: %w", t.Name, results[i].Err)
		}
	}
	return results
}

// output runs a program and returns what it prints.
func output(ctx context.Context, program string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, program, args...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr)+" "+string(out)))
	}
	return string(out), err
}
