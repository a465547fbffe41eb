package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/examples/internal/files"
)

// options are the settings, with their names in the file. Flags have the same names.
type options struct {
	State     string   `toml:"state"`      // where the game reports
	TokenFile string   `toml:"token-file"` // file of the token that the game must send
	From      string   `toml:"from"`       // PROTOCOL=ADDRESS of a game that is asked instead
	Every     duration `toml:"every"`      // how often
	Status    string   `toml:"status"`     // address for operators, "" for none

	// Addresses to answer queries at, "" for none.
	SQP       string `toml:"sqp"`
	GameSpy2  string `toml:"gamespy2"`
	GameAgent string `toml:"gameagent"`

	// Masters to register with, PROTOCOL=ADDRESS, and what they need.
	Register []string `toml:"register"`
	Game     string   `toml:"game"`     // name of the game at masters of GameSpy
	GameKey  string   `toml:"game-key"` // secret key of the game at them
	Public   string   `toml:"public"`   // host of a state without one

	Stale   duration `toml:"stale"`    // time without a report after which a state is stale; 0 for never
	OnStale onStale  `toml:"on-stale"` // what to do then

	EndWithParent bool `toml:"end-with-parent"`
	Agones        bool `toml:"agones"` // report to the sidecar of Agones

	// Start is the state before the first report, which a patch changes.
	Start map[string]any `toml:"start"`

	health  string // an address whose health to query, instead of running
	token   string
	command []string        // that starts the game
	rates   lobbywire.Rates // of queries; the zero value has the defaults of the servers
}

func defaults() options {
	return options{State: "127.0.0.1:7790", Every: duration(2 * time.Second), Register: []string{}, OnStale: keepOn}
}

// A duration is a time span in the file, such as "30s".
type duration time.Duration

func (d *duration) UnmarshalText(text []byte) error {
	span, err := time.ParseDuration(string(text))
	if err == nil && span < 0 {
		err = errors.New("must not be negative")
	}
	*d = duration(span)
	return err
}

func (d duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// An onStale is the action when the game stops reporting.
type onStale string

// The values of onStale. All of them log it, and show it in the status.
const (
	keepOn     onStale = "keep"  // answer queries with the last state
	leaveLists onStale = "leave" // leave the lists of masters until the next report
	endSidecar onStale = "end"   // end with exit code 1
)

func (a *onStale) UnmarshalText(text []byte) error {
	switch *a = onStale(text); *a {
	case keepOn, leaveLists, endSidecar:
		return nil
	}
	return errors.New("it is keep, leave or end")
}

func (a onStale) MarshalText() ([]byte, error) { return []byte(a), nil }

// newFlags returns the flags. They change o; file is set to the name of the configuration
// file.
func newFlags(o *options, file *string, showVersion *bool) *flag.FlagSet {
	flags := flag.NewFlagSet("sidecar", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(file, "config", "", "read this TOML `file`; flags override it")
	flags.StringVar(&o.State, "state", o.State,
		"`place` where the game reports its state: host:port or unix:PATH for HTTP, - for lines of JSON on the "+
			"standard input, or a file")
	flags.StringVar(&o.From, "from", o.From,
		"instead ask the game itself: `PROTOCOL=ADDRESS`, such as gamespy2=127.0.0.1:29900")
	flags.TextVar(&o.Every, "every", o.Every, "with -from, the `time` between two queries")
	flags.StringVar(&o.TokenFile, "token-file", o.TokenFile,
		"`file` with a token that the game must send, otherwise in $"+tokenVariable+
			"; needed to listen beyond loopback")
	flags.StringVar(&o.Status, "status", o.Status,
		"also serve the status, health and metrics at this `address`, for operators")
	flags.StringVar(&o.SQP, "sqp", o.SQP, "answer queries of SQP at this UDP `address`")
	flags.StringVar(&o.GameSpy2, "gamespy2", o.GameSpy2, "answer queries of GameSpy 2 at this UDP `address`")
	flags.StringVar(&o.GameAgent, "gameagent", o.GameAgent,
		"answer queries of GameAgent at this UDP `address`, whose port should be the one after the port of the game")
	flags.Func("register",
		"register with this master: `PROTOCOL=ADDRESS`, such as gamespy2=master.example:27900; may be repeated",
		func(text string) error {
			o.Register = append(o.Register, text)
			return nil
		})
	flags.StringVar(&o.Game, "game", o.Game, "`name` of the game at masters of GameSpy")
	flags.StringVar(&o.GameKey, "game-key", o.GameKey,
		"secret `key` of the game at these masters, and at those of gameagent-legacy")
	flags.StringVar(&o.Public, "public", o.Public,
		"`host` where players join, for lists that need one, if the state has none")
	flags.TextVar(&o.Stale, "stale", o.Stale, "`time` without a report after which the state is stale; 0s means never")
	flags.TextVar(&o.OnStale, "on-stale", o.OnStale,
		"what to do then: `keep` answering, leave the lists of masters, or end with exit code 1")
	flags.BoolVar(&o.EndWithParent, "end-with-parent", o.EndWithParent,
		"end when the process that started the sidecar ends")
	flags.BoolVar(&o.Agones, "agones", o.Agones,
		"report to the sidecar of Agones that the game is ready and healthy, and its players, as the counter players")
	flags.StringVar(&o.health, "health", "",
		"do nothing but ask the sidecar at this `address`, that of its -status or -state, whether its game reports; "+
			"exit with 0 if it does, otherwise with 1")
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
		fmt.Fprintln(stdout, "usage: sidecar [flags] [-- COMMAND ARGUMENTS...]")
		first.SetOutput(stdout)
		first.PrintDefaults()
	}
	if err != nil {
		return o, err
	}
	if showVersion {
		fmt.Fprintln(stdout, "sidecar", cli.Version())
		return o, flag.ErrHelp
	}
	if o.health != "" {
		return o, nil
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
	o.command, err = commandIn(args, first.Args())
	if err != nil {
		return o, err
	}
	o.token, err = cli.ReadSecret(o.TokenFile, tokenVariable)
	if err != nil {
		return o, err
	}
	return o, o.check()
}

// read reads the configuration file.
func (o *options) read(file string) error {
	text, err := files.ReadText(file)
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

// commandIn returns the command after "--", given the arguments that are not flags.
func commandIn(args, rest []string) ([]string, error) {
	if len(rest) == 0 {
		return nil, nil
	}
	if at := len(args) - len(rest) - 1; at < 0 || args[at] != "--" {
		return nil, fmt.Errorf("%q is not a flag, and the command that starts the game comes after --", rest[0])
	}
	return rest, nil
}

func (o *options) check() error {
	places, err := o.places()
	switch {
	case err != nil:
		return err
	case o.SQP == "" && o.GameSpy2 == "" && o.GameAgent == "" && len(places) == 0:
		return errors.New("nothing to do: give -sqp, -gamespy2 or -gameagent an address, such as :7778")
	case o.Every <= 0:
		return errors.New("-every must be above 0, such as 2s")
	case !o.hasPublic():
		return fmt.Errorf("-public %q: it is a host without a port", o.Public)
	case o.OnStale != keepOn && o.Stale == 0:
		return fmt.Errorf("-on-stale %s needs a time for -stale, such as 30s", o.OnStale)
	}
	if o.From != "" {
		_, _, err = o.asked()
	}
	return cmp.Or(err, o.checkListen())
}

// hasPublic reports whether Public is a host or "". It removes brackets from an IPv6 address.
func (o *options) hasPublic() bool {
	host, port, err := cli.SplitAddress(o.Public)
	o.Public = host
	return err == nil && port == ""
}

// checkListen refuses addresses that nothing can listen on.
func (o *options) checkListen() error {
	for _, flag := range []struct{ name, addr string }{
		{"sqp", o.SQP}, {"gamespy2", o.GameSpy2}, {"gameagent", o.GameAgent}, {"status", o.Status},
	} {
		if flag.addr == "" {
			continue
		}
		if err := cli.CheckListen(flag.addr); err != nil {
			return fmt.Errorf("-%s %w", flag.name, err)
		}
	}
	if isAddress(o.State) && !isUnix(o.State) || cli.IsPort(o.State) {
		if err := cli.CheckListen(o.State); err != nil {
			return fmt.Errorf("-state %w", err)
		}
	}
	return nil
}

// tokenVariable is the variable of a token that is in no file.
const tokenVariable = "SIDECAR_TOKEN"

// shutdownTime is the time limit for the last answers.
const shutdownTime = 5 * time.Second
