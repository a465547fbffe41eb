// Proxy writes a module proxy: a folder with the modules of a checkout, as the
// go command reads them from a GOPROXY that starts with file://.
//
//	proxy CHECKOUT VERSION FOLDER
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: proxy CHECKOUT VERSION FOLDER")
		os.Exit(2)
	}
	checkout, version, folder := os.Args[1], os.Args[2], os.Args[3]
	for _, dir := range []string{checkout, filepath.Join(checkout, "examples")} {
		if err := write(dir, version, folder); err != nil {
			fmt.Fprintln(os.Stderr, "proxy:", err)
			os.Exit(1)
		}
	}
}

// write adds the module in dir to the proxy in folder.
func write(dir, version, folder string) error {
	file, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return err
	}
	m := module.Version{Path: modfile.ModulePath(file), Version: version}
	at := filepath.Join(folder, m.Path, "@v")
	if err := os.MkdirAll(at, 0o755); err != nil {
		return err
	}
	info, err := json.Marshal(struct {
		Version string
		Time    time.Time
	}{version, time.Now().UTC()})
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{
		"list":            []byte(version + "\n"),
		version + ".info": info,
		version + ".mod":  file,
	} {
		if err := os.WriteFile(filepath.Join(at, name), content, 0o644); err != nil {
			return err
		}
	}
	archive, err := os.Create(filepath.Join(at, version+".zip"))
	if err != nil {
		return err
	}
	if err := zip.CreateFromDir(archive, m, dir); err != nil {
		archive.Close()
		return err
	}
	return archive.Close()
}
