package main

import (
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// Deployments use flags that exist, and publish the ports that they set.
func TestDeployments(t *testing.T) {
	var compose struct {
		Services map[string]struct {
			Command []string
			Ports   []string
		}
	}
	var pod struct {
		Spec struct {
			Containers []struct {
				Name  string
				Args  []string
				Ports []struct {
					ContainerPort string `yaml:"containerPort"`
				}
			}
		}
	}
	decode(t, "deploy/compose.yaml", &compose)
	decode(t, "deploy/pod.yaml", &pod)
	inCompose, inPod := compose.Services["sidecar"], pod.Spec.Containers[1]
	image, err := os.ReadFile("deploy/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	ports := make(map[string][]string)
	for _, p := range inCompose.Ports {
		ports["compose"] = append(ports["compose"], regexp.MustCompile(`^(\d+):`).FindStringSubmatch(p)[1])
	}
	for _, p := range inPod.Ports {
		ports["pod"] = append(ports["pod"], p.ContainerPort)
	}
	exposed := regexp.MustCompile(`(?m)^EXPOSE (.*)$`).FindSubmatch(image)[1]
	for _, p := range regexp.MustCompile(`\d+`).FindAll(exposed, -1) {
		ports["image"] = append(ports["image"], string(p))
	}
	command := regexp.MustCompile(`(?m)^CMD \[(.*)\]$`).FindSubmatch(image)[1]
	for name, args := range map[string][]string{
		"compose": inCompose.Command,
		"pod":     inPod.Args,
		"image":   strings.Split(strings.ReplaceAll(string(command), `"`, ""), ", "),
	} {
		o, err := load(args, io.Discard)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var want []string
		for _, at := range []string{o.SQP, o.GameSpy2, o.GameAgent, o.Status} {
			if at != "" {
				want = append(want, strings.TrimPrefix(at, ":"))
			}
		}
		slices.Sort(want)
		slices.Sort(ports[name])
		if diff := cmp.Diff(want, ports[name]); diff != "" {
			t.Errorf("ports of %s (-flags +published):\n%s", name, diff)
		}
	}
}

func decode(t *testing.T, file string, v any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, v); err != nil {
		t.Fatal(err)
	}
}
