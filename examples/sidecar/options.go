package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/lobbywire/lobbywire/examples/internal/version"
)

// options are the settings, with their names in the file. Flags have the same names.
type options struct {
	State     string `toml:"state"`      // where the game reports
	TokenFile string `toml:"token-file"` // what the game must send
	Status    string `toml:"status"`     // address for operators, "" for none

	// Addresses to answer queries at, "" for none.
	SQP       string `toml:"sqp"`
	GameSpy2  string `toml:"gamespy2"`
	GameAgent string `toml:"gameagent"`

	// Start is the state before the first report, which a patch changes.
	Start map[string]any `toml:"start"`

	token string
}

func defaults() options { return options{State: "127.0.0.1:7790"} }

// newFlags returns the flags. They change o; file is set to the name of the configuration
// file.
func newFlags(o *options, file *string, showVersion *bool) *flag.FlagSet {
	flags := flag.NewFlagSet("sidecar", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(file, "config", "", "read this TOML `file`; flags override it")
	flags.StringVar(&o.State, "state", o.State, "`place` where the game reports its state: host:port or unix:PATH for HTTP")
	flags.StringVar(&o.TokenFile, "token-file", o.TokenFile,
		"`file` with a token that the game must send, otherwise in $"+tokenVariable+"; needed to listen beyond loopback")
	flags.StringVar(&o.Status, "status", o.Status, "also serve the status, health and metrics at this `address`, for operators")
	flags.StringVar(&o.SQP, "sqp", o.SQP, "answer queries of SQP at this UDP `address`")
	flags.StringVar(&o.GameSpy2, "gamespy2", o.GameSpy2, "answer queries of GameSpy 2 at this UDP `address`")
	flags.StringVar(&o.GameAgent, "gameagent", o.GameAgent,
		"answer queries of GameAgent at this UDP `address`, whose port should be the one after the port of the game")
	flags.BoolVar(showVersion, "version", false, "print the version")
	return flags
}

// load returns the settings of the file and the flags. It prints the help and the
// version, and then fails with flag.ErrHelp.
func load(args []string, stdout io.Writer) (options, error) {
	var file string
	var showVersion bool
	o := defaults()
	first := newFlags(&o, &file, &showVersion)
	err := first.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(stdout, "usage: sidecar [flags]")
		first.SetOutput(stdout)
		first.PrintDefaults()
	}
	if err != nil {
		return o, err
	}
	if showVersion {
		fmt.Fprintln(stdout, "sidecar", version.Text())
		return o, flag.ErrHelp
	}
	if file != "" {
		o = defaults()
		if err := o.read(file); err != nil {
			return o, err
		}
		if err := newFlags(&o, new(string), new(bool)).Parse(args); err != nil {
			return o, err
		}
	}
	if first.NArg() > 0 {
		return o, fmt.Errorf("%q is not a flag; -help lists them", first.Arg(0))
	}
	if o.token, err = readToken(o.TokenFile); err != nil {
		return o, err
	}
	return o, o.check()
}

// read reads the configuration file.
func (o *options) read(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	err = toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(o)
	strict := new(toml.StrictMissingError)
	if errors.As(err, &strict) {
		return fmt.Errorf("%s: unknown keys:\n%s", file, strict)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

func (o *options) check() error {
	if o.SQP == "" && o.GameSpy2 == "" && o.GameAgent == "" {
		return errors.New("nothing to do: give -sqp, -gamespy2 or -gameagent an address, such as :7778")
	}
	return nil
}

const (
	tokenVariable = "SIDECAR_TOKEN"
	minToken      = 16 // bytes, so that it cannot be guessed
)

// readToken returns the content of the file or, if there is none, the variable. It
// returns "" if neither is set.
func readToken(file string) (string, error) {
	token, from := os.Getenv(tokenVariable), "$"+tokenVariable
	if file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		token, from = strings.TrimSpace(string(text)), file
		if token == "" {
			return "", fmt.Errorf("%s is empty", file)
		}
	}
	if token != "" && len(token) < minToken {
		return "", fmt.Errorf("%s has %d bytes, but needs %d so that nobody can guess it", from, len(token), minToken)
	}
	return token, nil
}

// shutdownTime is the time limit for the last answers.
const shutdownTime = 5 * time.Second
