package main

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/examples/internal/files"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// load returns the configuration of the command line and of the file that it names.
func load(args []string) (config, error) {
	var file string
	c := defaults()
	if err := newFlags(&c, &file).Parse(args); err != nil {
		return c, &usageError{err}
	}
	if file != "" {
		c = defaults()
		if err := readFile(file, &c); err != nil {
			return c, &usageError{err}
		}
		if err := newFlags(&c, &file).Parse(args); err != nil {
			return c, &usageError{err}
		}
	}
	if err := c.check(); err != nil {
		return c, &usageError{err}
	}
	return c, nil
}

func readFile(name string, c *config) error {
	b, err := files.ReadText(name)
	if err != nil {
		return err
	}
	if err := parseFile(b, c); err != nil {
		return fmt.Errorf("%s:%w", name, err)
	}
	return nil
}

// parseFile changes c as b says. Errors start with the line.
func parseFile(b []byte, c *config) error {
	d := toml.NewDecoder(strings.NewReader(string(b)))
	err := d.DisallowUnknownFields().Decode(c)
	if unknown := new(toml.StrictMissingError); errors.As(err, &unknown) {
		var errs []error
		for _, e := range unknown.Errors {
			line, column := e.Position()
			errs = append(errs, fmt.Errorf("%d:%d: there is no %s", line, column, strings.Join(e.Key(), ".")))
		}
		return errors.Join(errs...)
	}
	if wrong := new(toml.DecodeError); errors.As(err, &wrong) {
		line, column := wrong.Position()
		return fmt.Errorf("%d:%d: %s", line, column, strings.TrimPrefix(wrong.Error(), "toml: "))
	}
	return err
}

// check refuses values that the servers do not accept, and adds the offset to ports.
func (c *config) check() error {
	for _, l := range c.listens() {
		moved, err := l.at.moved(c.Offset)
		if err != nil {
			return err
		}
		*l.at = moved
	}
	if most := min(warzone.MaxStatusText, wzhttp.MaxMOTD); len(c.Warzone.MOTD) > most {
		return fmt.Errorf("motd has %d bytes, more than %d", len(c.Warzone.MOTD), most)
	}
	_, err := newAddressMap(c.Map)
	return errors.Join(err, c.readSecrets(), c.GameAgent.check(), c.GameSpy.check(), c.Warzone.TLS.check(),
		c.Cluster.check())
}

// check refuses games without a name, and masters that are not host:port.
func (c gameAgentConfig) check() error {
	for _, g := range c.Games {
		if g.Name == "" || strings.Contains(g.Name, `\`) {
			return fmt.Errorf("gameagent.games: %q is not the name of a game", g.Name)
		}
		if g.Validate && g.Key == "" {
			return fmt.Errorf("gameagent.games: %s has no key, which validate needs", g.Name)
		}
		if _, err := cli.TextDecoder(g.Encoding); err != nil {
			return fmt.Errorf("gameagent.games: %s: %q: %w", g.Name, g.Encoding, err)
		}
	}
	for _, at := range c.SyncFrom {
		if _, _, err := net.SplitHostPort(at); err != nil {
			return fmt.Errorf("gameagent.sync-from: %q is not host:port", at)
		}
	}
	return nil
}

// check refuses games without a name or a key, and duplicate names.
func (c gameSpyConfig) check() error {
	names := make(map[string]bool)
	for _, g := range c.Games {
		if g.Name == "" || g.Key == "" || names[g.Name] {
			return fmt.Errorf("gamespy.games: %q needs a unique name and a key", g.Name)
		}
		if _, err := cli.TextDecoder(g.Encoding); err != nil {
			return fmt.Errorf("gamespy.games: %s: %q: %w", g.Name, g.Encoding, err)
		}
		names[g.Name] = true
	}
	return nil
}

// check refuses half a configuration.
func (c tlsConfig) check() error {
	switch {
	case (c.Cert == "") != (c.Key == ""):
		return errors.New("-tls-cert and -tls-key go together")
	case c.Cert != "" && len(c.ACME) > 0:
		return errors.New("use either -tls-cert or -acme")
	case len(c.ACME) > 0 && c.Cache == "":
		return errors.New("-acme needs -acme-cache: certificate authorities issue only a few certificates per week")
	}
	return nil
}

// listens returns all addresses to listen on, by the names of their servers.
func (c *config) listens() []listen {
	return []listen{
		{"gameagent", &c.GameAgent.Listen}, {"gameagent-legacy", &c.GameAgent.Legacy}, {"gameagent-list", &c.GameAgent.List},
		{"gamespy", &c.GameSpy.Listen}, {"gamespy-list", &c.GameSpy.List},
		{"warzone", &c.Warzone.Listen}, {"text", &c.Warzone.Text}, {"binary", &c.Warzone.Binary}, {"json", &c.Warzone.JSON},
		{"http", &c.Warzone.HTTP}, {"layout21", &c.Warzone.Layout21}, {"layout20", &c.Warzone.Layout20},
		{"bomberman", &c.Bomberman.Listen},
		{"web", &c.Web.Listen}, {"metrics", &c.Metrics.Listen}, {"admin-listen", &c.Admin.Listen},
	}
}

// A listen is an address to listen on, with the name of its server.
type listen struct {
	server string
	at     *address
}

// checkNATS refuses URLs to which no connection to NATS is possible. There may be several, or
// host:port without a scheme.
func checkNATS(urls string) error {
	if urls == "" || urls == embedded {
		return nil
	}
	for text := range strings.SplitSeq(urls, ",") {
		u, err := parseNATS(text)
		if err != nil || u.Host == "" || !slices.Contains([]string{"nats", "tls", "ws", "wss"}, u.Scheme) {
			return errors.New("-nats wants the URL of a NATS server, such as nats://host:4222, or embedded")
		}
	}
	return nil
}

// parseNATS parses one of the URLs of NATS, which may lack the scheme.
func parseNATS(text string) (*url.URL, error) {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "://") {
		text = "nats://" + text
	}
	return url.Parse(text)
}

// maxReplicas is the maximum number of replicas of NATS.
const maxReplicas = 5

func (c clusterConfig) check() error {
	if c.NATS != embedded && (c.Listen != "" || c.Routes != "" || len(c.Peers) > 0 || c.SecretFile != "") {
		return errors.New("only an embedded NATS has peers, addresses and a secret: use -nats embedded")
	}
	if err := c.checkAccess(); err != nil {
		return err
	}
	if c.TTL > 0 && time.Duration(c.TTL) < time.Second {
		return fmt.Errorf("cluster.ttl is %v, but must be at least 1s", time.Duration(c.TTL))
	}
	if c.Replicas > maxReplicas {
		return fmt.Errorf("cluster.replicas is %d, but NATS allows at most %d", c.Replicas, maxReplicas)
	}
	if len(c.Peers) > 0 && c.Routes == "" {
		return errors.New("-peer needs -routes: peers connect to each other")
	}
	if err := checkNATS(c.NATS); err != nil {
		return err
	}
	for _, at := range append([]string{c.Listen, c.Routes}, c.Peers...) {
		if _, _, err := net.SplitHostPort(at); at != "" && err != nil {
			return fmt.Errorf("%q is not host:port", at)
		}
	}
	if len(c.Peers) == 0 && c.Routes != "" {
		return errors.New("-routes needs -peer: the -routes of each other node")
	}
	return nil
}
