package bombermannet_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
)

// A directory is a Store with a file for each game server, for the next run.
type directory struct {
	path string
	ends context.Context // done before Shutdown, which removes all game servers
}

func (d directory) file(id uint64) string { return filepath.Join(d.path, fmt.Sprintf("%x.entry", id)) }

func (d directory) Put(e bombermannet.Entry) {
	b, err := e.MarshalBinary()
	if err == nil && os.WriteFile(d.file(e.ID)+".new", b, 0o600) == nil {
		os.Rename(d.file(e.ID)+".new", d.file(e.ID)) // a crash leaves the old file or the new one
	}
}

func (d directory) Remove(id uint64) {
	if d.ends.Err() == nil {
		os.Remove(d.file(id))
	}
}

func (d directory) Expire(id uint64) { os.Remove(d.file(id)) }

func (d directory) Watch(put func(e bombermannet.Entry), _ func(id uint64)) (stop func()) {
	files, _ := filepath.Glob(filepath.Join(d.path, "*.entry"))
	for _, file := range files {
		var e bombermannet.Entry
		b, err := os.ReadFile(file)
		switch {
		case err != nil:
		case e.UnmarshalBinary(b) != nil, time.Since(e.Seen) > bombermannet.Expiry:
			os.Remove(file)
		default:
			put(e)
		}
	}
	return func() {}
}

// The list of a management server survives a restart: game servers stay listed until they have
// connected again, or for 100 seconds.
func ExampleStore() {
	path, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(path)

	ctx, stop := context.WithCancel(context.Background()) // usually of signal.NotifyContext
	defer stop()
	first := bombermannet.ManagementServer{Store: directory{path, ctx}, HideUntilStats: true}
	l := listen()
	go first.Serve(l)
	registrar := bombermannet.Registrar{Addr: l.Addr().String()}
	if err := registrar.Set(bomberman.Server{
		Name: "Bömber", Address: "192.0.2.7", Port: 4000, Players: bomberman.PlayerCount{Max: 4},
		GameplayMode: bomberman.GameplayModeStandardA,
	}); err != nil {
		fmt.Println(err)
		return
	}
	go registrar.Run(context.Background())
	defer registrar.Close()
	for files := 0; files == 0; {
		all, _ := filepath.Glob(filepath.Join(path, "*.entry"))
		files = len(all)
		time.Sleep(time.Millisecond)
	}
	stop()
	first.Shutdown(context.Background())

	second := bombermannet.ManagementServer{Store: directory{path, context.Background()}}
	defer second.Close()
	for e := range second.Servers() {
		fmt.Printf("%q at %s\n", e.Server.Name, e.Server.Address)
	}
	// Output: "Bömber" at 192.0.2.7
}
