package querytools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// nodeScript runs read, which a script before it defines, for all targets at once and
// prints a line of JSON for each. Some packages wait without end for lost datagrams.
const nodeScript = `
const late = () => new Promise((_, fail) => setTimeout(() => fail(new Error('no answer after 10 s')), 10000));
Promise.all(process.argv.slice(1).map(async target => {
	const [host, port] = target.split(':');
	try {
		return await Promise.race([read(host, +port), late()]);
	} catch (e) {
		return {Error: String(e && e.message || e)};
	}
})).then(all => {
	process.stdout.write(all.map(a => JSON.stringify(a) + '\n').join(''), () => process.exit(0));
});`

// A nodeAnswer is a line that a script prints.
type nodeAnswer struct {
	Error, Name, Map string
	MaxPlayers       int
	Players          []struct {
		Name string
		Raw  map[string]any
	}
	Raw map[string]any
}

// node returns a Tool that is a package of npm, and a script that defines read.
func node(name, pkg, script string) Tool {
	return Tool{Name: name, Program: "node", pkg: pkg, Run: func(ctx context.Context, addrs []string) []Result {
		return Lines(ctx, addrs, parseNode, "node", append([]string{"-e", script + nodeScript}, addrs...)...)
	}}
}

// Lines runs a program that prints a line for each address, and parses the lines.
func Lines(ctx context.Context, addrs []string, parse func(line string) (Answer, error), program string,
	args ...string) []Result {
	results := make([]Result, len(addrs))
	out, err := output(ctx, program, args...)
	all := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if err == nil && len(all) != len(addrs) {
		err = fmt.Errorf("%d lines for %d servers", len(all), len(addrs))
	}
	for i := range results {
		if err != nil {
			results[i].Err = err
		} else {
			results[i].Answer, results[i].Err = parse(all[i])
		}
	}
	return results
}

func parseNode(line string) (Answer, error) {
	var got nodeAnswer
	if err := json.Unmarshal([]byte(line), &got); err != nil {
		return Answer{}, err
	}
	if got.Error != "" {
		return Answer{}, errors.New(got.Error)
	}
	a := Answer{Name: got.Name, Map: got.Map, MaxPlayers: got.MaxPlayers, Rules: texts(got.Raw)}
	for _, p := range got.Players {
		a.Players = append(a.Players, Player{p.Name, texts(p.Raw)})
	}
	return a, nil
}

// texts formats values as text.
func texts(values map[string]any) map[string]string {
	m := map[string]string{}
	for k, v := range values {
		m[k] = fmt.Sprint(v)
	}
	return m
}
