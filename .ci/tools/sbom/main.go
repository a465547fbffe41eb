// Sbom writes which modules a program consists of, as CycloneDX JSON.
//
//	sbom PROGRAM >FILE
package main

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/CycloneDX/cyclonedx-go"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: sbom PROGRAM >FILE")
		os.Exit(2)
	}
	info, err := buildinfo.ReadFile(os.Args[1])
	if err == nil {
		err = cyclonedx.NewBOMEncoder(os.Stdout, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(bom(info))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

// bom returns the program with the modules that were linked into it. The
// standard library is one, with the version of Go.
func bom(info *debug.BuildInfo) *cyclonedx.BOM {
	b := cyclonedx.NewBOM()
	b.SerialNumber = "" // a number of its own would make each build differ
	program := component(cyclonedx.ComponentTypeApplication, info.Path, info.Main.Version)
	b.Metadata = &cyclonedx.Metadata{Component: &program}
	parts := []cyclonedx.Component{component(cyclonedx.ComponentTypeLibrary, "std", info.GoVersion)}
	for _, dep := range info.Deps {
		parts = append(parts, component(cyclonedx.ComponentTypeLibrary, dep.Path, dep.Version))
	}
	b.Components = &parts
	return b
}

func component(kind cyclonedx.ComponentType, path, version string) cyclonedx.Component {
	url := "pkg:golang/" + path + "@" + version
	return cyclonedx.Component{Type: kind, BOMRef: url, Name: path, Version: version, PackageURL: url}
}
