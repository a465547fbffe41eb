package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A language has a game in languages/. Its commands run in a copy of the game's directory;
// in them, URL and ADDRESS are where to report.
type language struct {
	name  string
	build []string // nil if there is nothing to build
	run   []string
}

func languages() []language {
	return []language{
		{"cpp", []string{"c++", "-std=c++17", "-Wall", "-Wextra", "-o", "game", "game.cpp", "-lcurl"}, []string{"./game", "URL"}},
		{"csharp", []string{"mcs", "-r:System.Net.Http.dll", "Game.cs"}, []string{"mono", "Game.exe", "URL"}},
		{"gdscript", nil, []string{"godot3-server", "--no-window", "-s", "game.gd", "URL"}},
		{"java", []string{"javac", "Game.java"}, []string{"java", "Game", "URL"}},
		{"python", nil, []string{"python3", "game.py", "URL"}},
		{"rust", []string{"rustc", "-D", "warnings", "game.rs"}, []string{"./game", "ADDRESS"}},
		{"shell", nil, []string{"sh", "game.sh", "URL"}},
	}
}

// command returns a command that runs in dir.
func command(t *testing.T, dir, url string, words []string) *exec.Cmd {
	t.Helper()
	words = slices.Clone(words)
	for i, w := range words {
		w = strings.ReplaceAll(w, "URL", url)
		words[i] = strings.ReplaceAll(w, "ADDRESS", strings.TrimPrefix(url, "http://"))
	}
	cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
	if errors.Is(cmd.Err, exec.ErrNotFound) {
		t.Skip(cmd.Err)
	}
	cmd.Dir = dir
	return cmd
}

// A game in each language is visible in all protocols, with its players as they join and
// leave.
func TestLanguages(t *testing.T) {
	if testing.Short() {
		t.Skip("needs compilers")
	}
	for _, l := range languages() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			r := start(t, nil)
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(filepath.Join("languages", l.name))); err != nil {
				t.Fatal(err)
			}
			if l.build != nil {
				if out, err := command(t, dir, r.url, l.build).CombinedOutput(); err != nil || len(out) > 0 {
					t.Fatalf("%v: %s", err, out)
				}
			}
			cmd := command(t, dir, r.url, l.run)
			cmd.Env = append(os.Environ(), "LANG=en_US.UTF-8") // Godot complains about "C"
			var said strings.Builder
			cmd.Stderr = &said
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() {
				ended <- cmd.Wait()
				close(ended)
			}()
			want := []string{`Ann "Fox"`, `Ann "Fox", Bob`, "Bob"}
			for protocol, got := range r.rosters(t, ended) {
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("rosters over %s (-want +got):\n%s", protocol, diff)
				}
			}
			if said.Len() > 0 {
				t.Errorf("the game says %s", said.String())
			}
		})
	}
}

// rosters returns the different rosters that each protocol shows one after the other,
// from the first report until the game has ended.
func (r running) rosters(t *testing.T, ended <-chan error) map[string][]string {
	t.Helper()
	all := make(map[string][]string)
	select {
	case <-r.state.First():
	case err := <-ended:
		t.Fatalf("the game has reported nothing: %v", err)
	}
	for {
		for protocol, v := range r.views(t) {
			var names []string
			for _, p := range v.Roster {
				names = append(names, p.Name)
			}
			roster, seen := strings.Join(names, ", "), all[protocol]
			if len(seen) == 0 || seen[len(seen)-1] != roster {
				all[protocol] = append(seen, roster)
			}
		}
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
			return all
		default:
		}
	}
}

// A game is a page to read.
func TestGamesAreShort(t *testing.T) {
	files, err := filepath.Glob("languages/*/*")
	if err != nil || len(files) != len(languages())+1 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(text, []byte("\n")); n >= 60 {
			t.Errorf("%s has %d lines", file, n)
		}
	}
}
