package lobbywire_test

import (
	"context"
	"fmt"
	"iter"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// printInfo is the README's decoding example.
func printInfo(datagram []byte) error {
	answer, err := sqp.ParseQueryResponse(datagram, sqp.ChunkServerInfo)
	if err != nil {
		return err // as "sqp: serverInfo.map at byte 81: truncated"
	}
	info := answer.ServerInfo
	fmt.Printf("%q: %d of %d players\n", info.ServerName, info.CurrentPlayers, info.MaxPlayers)
	return nil
}

// respond is the README's encoding example.
func respond(datagram, buffer []byte) ([]byte, error) {
	request, err := sqp.ParseRequest(datagram)
	if err != nil || request.Type != sqp.TypeQuery {
		return nil, err
	}
	answer := sqp.QueryResponse{
		Token:      request.Query.Token,
		Version:    sqp.Version,
		ServerInfo: &sqp.ServerInfo{MaxPlayers: 16, ServerName: "Duel", Map: "Harbor", Port: 7777},
	}
	return answer.AppendBinary(buffer[:0])
}

// scanAll is the README's scanning example.
func scanAll(ctx context.Context, targets iter.Seq[netip.AddrPort]) {
	var client sqpnet.Client
	for addr, result := range client.Scan(ctx, targets, sqp.ChunkServerInfo) {
		if result.Err != nil {
			continue // no answer in time
		}
		fmt.Printf("%v %q %v\n", addr, result.ServerInfo.ServerName, result.RTT)
	}
}

// A scan of no targets ends at once.
func TestReadmeScan(t *testing.T) {
	scanAll(t.Context(), slices.Values([]netip.AddrPort{}))
}

func Example() {
	request, err := sqp.QueryRequest{Token: 7, Version: sqp.Version, Chunks: sqp.ChunkServerInfo}.AppendBinary(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := respond(request, make([]byte, sqp.MaxDatagram))
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := printInfo(answer); err != nil {
		fmt.Println(err)
	}
	// Output: "Duel": 0 of 16 players
}

// The README's Go code is the code above, so it compiles and runs.
func TestReadmeCode(t *testing.T) {
	source := dedented(t, "readme_test.go")
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(readme(t), -1)
	if len(blocks) == 0 {
		t.Fatal("README.md has no Go code")
	}
	for _, b := range blocks {
		code := regexp.MustCompile(`(?m)^\t*`).ReplaceAllString(b[1], "")
		if !strings.Contains(source, code) {
			t.Errorf("README.md has code that readme_test.go does not:\n%s", b[1])
		}
	}
}

// The files that the README's commands and links name exist.
func TestReadmePaths(t *testing.T) {
	text := readme(t)
	for _, p := range regexp.MustCompile(`\.\./\S+\.hex`).FindAllString(text, -1) {
		if _, err := os.Stat(strings.TrimPrefix(p, "../")); err != nil {
			t.Error(err)
		}
	}
	for _, m := range regexp.MustCompile(`\]\(([^):]+)\)`).FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.FromSlash(m[1])); err != nil {
			t.Error(err)
		}
	}
}

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// dedented returns a file without leading tabs.
func dedented(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`(?m)^\t*`).ReplaceAllString(string(text), "")
}
