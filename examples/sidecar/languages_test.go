package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A language has a game in languages/. Its commands run in a copy of the game's directory;
// in them, URL and ADDRESS stand for the place of reports.
type language struct {
	name, file string   // of the game
	build      []string // nil if there is nothing to build
	run        []string

	// probe is a program with the same needs as the game: the compiler, the libraries and the
	// runtime. It requests URL/v1/openapi.json, if the language has a library for HTTP.
	probe string
}

func languages() []language {
	return []language{
		{
			"cpp", "game.cpp",
			[]string{"c++", "-std=c++17", "-Wall", "-Wextra", "-o", "game", "game.cpp", "-lcurl"},
			[]string{"./game", "URL"}, `
#include <curl/curl.h>
#include <map>
#include <string>
#include <thread>
int main(int, char** argv) {
	CURL* curl = curl_easy_init();
	curl_easy_setopt(curl, CURLOPT_URL, (std::string(argv[1]) + "/v1/openapi.json").c_str());
	return curl_easy_perform(curl);
}`,
		},
		{
			"csharp", "Game.cs",
			[]string{"mcs", "-r:System.Net.Http.dll", "Game.cs"}, []string{"mono", "Game.exe", "URL"}, `
using System.Linq;
using System.Net.Http;
static class Game {
	static void Main(string[] args) {
		new HttpClient().PutAsync(args.First() + "/v1/openapi.json", new StringContent("")).Wait();
	}
}`,
		},
		{
			"gdscript", "game.gd", nil, []string{"godot3-server", "--no-window", "-s", "game.gd", "URL"}, `
extends SceneTree
func _init():
	HTTPRequest.new().free()
	quit()
`,
		},
		{
			"java", "Game.java", []string{"javac", "Game.java"}, []string{"java", "Game", "URL"}, `
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
class Game {
	public static void main(String[] args) throws Exception {
		var request = HttpRequest.newBuilder(URI.create(args[0] + "/v1/openapi.json")).build();
		HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
	}
}`,
		},
		{
			"python", "game.py", nil, []string{"python3", "game.py", "URL"}, `
import json, sys, urllib.request
json.load(urllib.request.urlopen(sys.argv[1] + "/v1/openapi.json"))
`,
		},
		{
			"rust", "game.rs", []string{"rustc", "-D", "warnings", "game.rs"}, []string{"./game", "ADDRESS"},
			"fn main() {}",
		},
		{
			"shell", "game.sh", nil, []string{"sh", "game.sh", "URL"}, `
set -e
jq -n '$ARGS.positional | map({name: .})' --args 'a "b"'
curl -sS --fail-with-body --max-time 20 "$1/v1/openapi.json"
`,
		},
	}
}

// command returns a command that runs in dir.
func command(t *testing.T, dir, url string, words []string) *exec.Cmd {
	words = slices.Clone(words)
	for i, w := range words {
		w = strings.ReplaceAll(w, "URL", url)
		words[i] = strings.ReplaceAll(w, "ADDRESS", strings.TrimPrefix(url, "http://"))
	}
	cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LANG=en_US.UTF-8", // Godot complains about "C"
		"DOTNET_CLI_TELEMETRY_OPTOUT=1", "DOTNET_NOLOGO=1")
	return cmd
}

// An engine is a game engine that is not in Debian. A few classes in testdata/ stand in for
// it, with a game that plays. Our sources have been run with these alone.
type engine struct {
	name     string
	language string   // whose programs it needs
	build    []string // in a copy of the sources and of testdata/
	run      []string
}

func engines() []engine {
	return []engine{
		{
			"unity", "csharp",
			[]string{"mcs", "-warnaserror", "-r:System.Net.Http.dll", "-out:Game.exe",
				"Runtime/Sidecar.cs", "Engine.cs"},
			[]string{"mono", "Game.exe", "URL"},
		},
		{
			"unreal", "cpp",
			[]string{"c++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-I", "engine", "-I", "Source/Sidecar/Public",
				"-o", "game", "Game.cpp",
				"Source/Sidecar/Private/SidecarSubsystem.cpp", "Source/Sidecar/Private/SidecarModule.cpp"},
			[]string{"./game", "URL"},
		},
	}
}

// headers are all headers of the Unreal Engine that the plugin may include.
var headers = []string{
	"Containers/Ticker.h", "CoreMinimal.h", "Dom/JsonObject.h", "Engine/GameInstance.h", "Engine/World.h",
	"GameFramework/GameModeBase.h", "GameFramework/GameSession.h", "GameFramework/GameStateBase.h",
	"GameFramework/PlayerController.h", "GameFramework/PlayerState.h", "HAL/PlatformMisc.h", "HttpModule.h",
	"Interfaces/IHttpRequest.h", "Interfaces/IHttpResponse.h", "Modules/ModuleManager.h",
	"Serialization/JsonSerializer.h", "Serialization/JsonWriter.h", "Subsystems/GameInstanceSubsystem.h",
	"SidecarSubsystem.generated.h", // which the engine generates
}

// copyTo copies the sources, and the stand-ins for the engine.
func (e engine) copyTo(t *testing.T, dir string) {
	t.Helper()
	for _, from := range []string{"languages", "testdata"} {
		if err := os.CopyFS(dir, os.DirFS(filepath.Join(from, e.name))); err != nil {
			t.Fatal(err)
		}
	}
	if e.name != "unreal" {
		return
	}
	for _, name := range headers {
		file := filepath.Join(dir, "engine", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("#include \""+filepath.Join(dir, "Engine.h")+"\"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// compile builds the program in dir. It fails if the compiler complains.
func (l language) compile(t *testing.T, dir, url string) error {
	if l.build == nil {
		return nil
	}
	out, err := command(t, dir, url, l.build).CombinedOutput()
	return complaint(out, err)
}

// complaint returns the error of a program that has failed or printed a complaint.
func complaint(printed []byte, err error) error {
	if err == nil && len(printed) == 0 {
		return nil
	}
	return fmt.Errorf("%v: %s", err, printed)
}

// needInstalled skips the test if the probe of the language does not run, or not silently.
func (l language) needInstalled(t *testing.T, url string) {
	t.Helper()
	suite.Long(t, l.name)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, l.file), []byte(l.probe), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := l.compile(t, dir, url); err != nil {
		suite.Missing(t, "%q does not build what needs its libraries: %v", l.build, err)
	}
	cmd := command(t, dir, url, l.run)
	var said bytes.Buffer
	cmd.Stderr = &said
	err := cmd.Run()
	if err := complaint(said.Bytes(), err); err != nil {
		suite.Missing(t, "%q does not run what needs its libraries: %v", l.run, err)
	}
}

// A game in each language is visible in all protocols, with its players as they join and
// leave.
func TestGamesInAllLanguagesAreVisible(t *testing.T) {
	suite.Long(t, "compilers")
	for _, l := range languages() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			r := start(t, nil)
			l.needInstalled(t, r.url)
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(filepath.Join("languages", l.name))); err != nil {
				t.Fatal(err)
			}
			if err := l.compile(t, dir, r.url); err != nil {
				t.Fatal(err)
			}
			r.play(t, dir, l.run)
		})
	}
}

// The sources for engines do the same, with stand-ins for the engines. A player who
// leaves is dropped at once, even while Unreal still has the player.
func TestGamesInAllEnginesAreVisible(t *testing.T) {
	suite.Long(t, "compilers")
	for _, e := range engines() {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			r := start(t, nil)
			languageOf(e.language).needInstalled(t, r.url)
			dir := t.TempDir()
			e.copyTo(t, dir)
			if err := (language{build: e.build}).compile(t, dir, r.url); err != nil {
				t.Fatal(err)
			}
			r.play(t, dir, e.run)
		})
	}
}

func languageOf(name string) language {
	all := languages()
	return all[slices.IndexFunc(all, func(l language) bool { return l.name == name })]
}

// The project file builds the game with dotnet. Debian has no package of it, so a machine
// that has all other programs need not have it.
func TestDotnetBuildsTheProject(t *testing.T) {
	var project struct {
		SDK   string `xml:"Sdk,attr"`
		Group struct {
			OutputType, TargetFramework, RollForward string
		} `xml:"PropertyGroup"`
	}
	text, err := os.ReadFile("languages/csharp/Game.csproj")
	if err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(text, &project); err != nil || project.SDK != "Microsoft.NET.Sdk" ||
		project.Group.OutputType != "Exe" || !strings.HasPrefix(project.Group.TargetFramework, "net") {
		t.Fatalf("%+v, %v", project, err)
	}
	suite.Long(t, "dotnet")
	if _, err := exec.LookPath("dotnet"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("languages/csharp")); err != nil {
		t.Fatal(err)
	}
	r := start(t, nil)
	if out, err := command(t, dir, r.url, []string{"dotnet", "build"}).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	r.play(t, dir, []string{"dotnet", "run", "--no-build", "--", "URL"})
}

// renamed are the calls that Godot 4 has renamed. The game for Godot 3 runs in a test,
// and with them it is the game for Godot 4, which is not in Debian.
var renamed = []string{
	"Godot 3", "Godot 4",
	"godot3-server --no-window -s game.gd http", "godot --headless -s game.gd -- http",
	"_init()", "_initialize()",
	`call_deferred("play")`, "play.call_deferred()",
	"get_cmdline_args", "get_cmdline_user_args",
	"[], false, ", "[], ",
	"JSON.print", "JSON.stringify",
	`yield(request, "request_completed")`, "await request.request_completed",
	`yield(create_timer(1), "timeout")`, "await create_timer(1).timeout",
}

func TestGodot4GameUsesRenamedCalls(t *testing.T) {
	of3, err := os.ReadFile("languages/gdscript/game.gd")
	if err != nil {
		t.Fatal(err)
	}
	of4, err := os.ReadFile("languages/godot4/game.gd")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.NewReplacer(renamed...).Replace(string(of3)), string(of4)); diff != "" {
		t.Errorf("the game for Godot 4 (-that for Godot 3, renamed +game):\n%s", diff)
	}
}

// The manifests of the package and the plugin contain the members that the engines
// define, and name existing files.
func TestManifestsAreWhole(t *testing.T) {
	var unityPackage struct {
		Name, Version, DisplayName, Description, Unity, License string
		Dependencies                                            map[string]string
	}
	var assembly struct {
		Name, RootNamespace string
		AutoReferenced      bool
	}
	var plugin struct {
		FileVersion, Version                             int
		VersionName, FriendlyName, Description, Category string
		CanContainContent                                bool
		Modules                                          []struct{ Name, Type, LoadingPhase string }
	}
	for file, v := range map[string]any{
		"unity/package.json":                     &unityPackage,
		"unity/Runtime/Lobbywire.Sidecar.asmdef": &assembly,
		"unreal/Sidecar.uplugin":                 &plugin,
	} {
		text, err := os.Open(filepath.Join("languages", file))
		if err != nil {
			t.Fatal(err)
		}
		defer text.Close()
		d := json.NewDecoder(text)
		d.DisallowUnknownFields()
		if err := d.Decode(v); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	if !regexp.MustCompile(`^com\.[a-z]+\.[a-z]+$`).MatchString(unityPackage.Name) ||
		!regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(unityPackage.Version) ||
		!regexp.MustCompile(`^\d{4}\.\d$`).MatchString(unityPackage.Unity) {
		t.Errorf("%+v", unityPackage)
	}
	if assembly.Name != "Lobbywire.Sidecar" { // the name of its file
		t.Errorf("%+v", assembly)
	}
	if plugin.FileVersion != 3 || len(plugin.Modules) != 1 {
		t.Fatalf("%+v", plugin)
	}
	for _, m := range plugin.Modules {
		if _, err := os.Stat(filepath.Join("languages/unreal/Source", m.Name, m.Name+".Build.cs")); err != nil {
			t.Error(err)
		}
	}
	languageOf("csharp").needInstalled(t, start(t, nil).url)
	out, err := exec.CommandContext(t.Context(),
		"mcs", "-target:library", "-out:"+filepath.Join(t.TempDir(), "rules.dll"),
		"languages/unreal/Source/Sidecar/Sidecar.Build.cs", "testdata/unreal/UnrealBuildTool.cs").CombinedOutput()
	if err := complaint(out, err); err != nil {
		t.Errorf("Sidecar.Build.cs: %v", err)
	}
}

// play runs a game to its end, and then sends its reports to the sidecar, one after the
// other: all protocols must show each. So it does not matter how fast the machine is.
func (r running) play(t *testing.T, dir string, run []string) {
	t.Helper()
	reports := make(chan string, 100)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil || req.Method != http.MethodPut || req.URL.Path != "/v1/state" {
			t.Errorf("%s %s: %v", req.Method, req.URL, err)
		}
		reports <- string(body)
		w.WriteHeader(http.StatusNoContent)
	}))
	game := command(t, dir, front.URL, run)
	var said strings.Builder
	game.Stderr = &said
	err := game.Run()
	front.Close()
	close(reports)
	if err != nil || said.Len() > 0 {
		t.Errorf("the game ends with %v, and says %s", err, said.String())
	}
	shown := make(map[string][]string)
	for report := range reports {
		if code, text := r.send(t, "PUT", "/v1/state", report); code != http.StatusNoContent {
			t.Errorf("the sidecar refuses %s: %s", report, text)
		}
		for protocol, v := range r.views(t) {
			var names []string
			for _, p := range v.Roster {
				names = append(names, p.Name)
			}
			shown[protocol] = append(shown[protocol], strings.Join(names, ", "))
		}
	}
	want := []string{`Ann "Fox"`, `Ann "Fox", Bob`, "Bob"}
	for _, protocol := range []string{"sqp", "gamespy2", "gameagent"} {
		if diff := cmp.Diff(want, slices.Compact(shown[protocol])); diff != "" {
			t.Errorf("rosters over %s (-want +got):\n%s", protocol, diff)
		}
	}
}

// A game is a page to read, and the sources for engines are little more.
func TestGamesAreShort(t *testing.T) {
	games := 0
	err := fs.WalkDir(os.DirFS("languages"), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join("languages", path))
		if err != nil {
			return err
		}
		most := 150
		name, kind, _ := strings.Cut(entry.Name(), ".")
		if strings.EqualFold(name, "game") && kind != "csproj" {
			most = 60
			games++
		}
		if n := bytes.Count(text, []byte("\n")); n >= most {
			t.Errorf("%s has %d lines", path, n)
		}
		return nil
	})
	if want := len(languages()) + 1; err != nil || games != want { // and one for Godot 4
		t.Errorf("%d games, want %d; %v", games, want, err)
	}
}
