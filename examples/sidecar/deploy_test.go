package main

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// The members of resources of Kubernetes and Agones that our files use. Others are
// refused: a cluster would refuse them, too, or ignore what is misspelt.
type (
	metadata struct {
		Name   string            `yaml:"name"`
		Labels map[string]string `yaml:"labels"`
	}

	pod struct {
		APIVersion string   `yaml:"apiVersion"`
		Kind       string   `yaml:"kind"`
		Metadata   metadata `yaml:"metadata"`
		Spec       podSpec  `yaml:"spec"`
	}

	podSpec struct {
		Containers []container `yaml:"containers"`
	}

	container struct {
		Name            string          `yaml:"name"`
		Image           string          `yaml:"image"`
		Args            []string        `yaml:"args"`
		Ports           []containerPort `yaml:"ports"`
		ReadinessProbe  probe           `yaml:"readinessProbe"`
		LivenessProbe   probe           `yaml:"livenessProbe"`
		Resources       resources       `yaml:"resources"`
		SecurityContext struct {
			RunAsNonRoot             bool `yaml:"runAsNonRoot"`
			ReadOnlyRootFilesystem   bool `yaml:"readOnlyRootFilesystem"`
			AllowPrivilegeEscalation bool `yaml:"allowPrivilegeEscalation"`
		} `yaml:"securityContext"`
	}

	containerPort struct {
		Name          string `yaml:"name"`
		ContainerPort uint16 `yaml:"containerPort"`
		HostPort      uint16 `yaml:"hostPort"`
		Protocol      string `yaml:"protocol"`
	}

	probe struct {
		HTTPGet struct {
			Path string `yaml:"path"`
			Port string `yaml:"port"`
		} `yaml:"httpGet"`
		PeriodSeconds int `yaml:"periodSeconds"`
	}

	resources struct {
		Limits map[string]string `yaml:"limits"`
	}

	gameServer struct {
		APIVersion string         `yaml:"apiVersion"`
		Kind       string         `yaml:"kind"`
		Metadata   metadata       `yaml:"metadata"`
		Spec       gameServerSpec `yaml:"spec"`
	}

	gameServerSpec struct {
		Container string           `yaml:"container"`
		Ports     []gameServerPort `yaml:"ports"`
		Health    struct {
			InitialDelaySeconds int `yaml:"initialDelaySeconds"`
			PeriodSeconds       int `yaml:"periodSeconds"`
			FailureThreshold    int `yaml:"failureThreshold"`
		} `yaml:"health"`
		Counters map[string]struct {
			Count    int `yaml:"count"`
			Capacity int `yaml:"capacity"`
		} `yaml:"counters"`
		Template struct {
			Spec podSpec `yaml:"spec"`
		} `yaml:"template"`
	}

	gameServerPort struct {
		Name          string `yaml:"name"`
		PortPolicy    string `yaml:"portPolicy"`
		Container     string `yaml:"container"`
		ContainerPort uint16 `yaml:"containerPort"`
		Protocol      string `yaml:"protocol"`
	}

	fleet struct {
		APIVersion string   `yaml:"apiVersion"`
		Kind       string   `yaml:"kind"`
		Metadata   metadata `yaml:"metadata"`
		Spec       struct {
			Replicas   int    `yaml:"replicas"`
			Scheduling string `yaml:"scheduling"`
			Strategy   struct {
				Type          string `yaml:"type"`
				RollingUpdate struct {
					MaxSurge       string `yaml:"maxSurge"`
					MaxUnavailable string `yaml:"maxUnavailable"`
				} `yaml:"rollingUpdate"`
			} `yaml:"strategy"`
			Template struct {
				Metadata metadata       `yaml:"metadata"`
				Spec     gameServerSpec `yaml:"spec"`
			} `yaml:"template"`
		} `yaml:"spec"`
	}
)

// Deployments use flags that exist, and publish the ports that they set.
func TestDeploymentsUseExistingFlags(t *testing.T) {
	var compose struct {
		Services map[string]struct {
			Image       string
			NetworkMode string `yaml:"network_mode"`
			Command     []string
			Ports       []string
		}
	}
	var inPod pod
	var inAgones gameServer
	decode(t, "deploy/compose.yaml", &compose)
	decode(t, "deploy/pod.yaml", &inPod)
	decode(t, "deploy/gameserver.yaml", &inAgones)
	image, err := os.ReadFile("deploy/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	ports := make(map[string][]string)
	for _, p := range compose.Services["sidecar"].Ports {
		ports["compose"] = append(ports["compose"], regexp.MustCompile(`^(\d+):`).FindStringSubmatch(p)[1])
	}
	for _, p := range sidecarOf(t, inPod.Spec).Ports {
		ports["pod"] = append(ports["pod"], port(p.ContainerPort))
	}
	for _, p := range sidecarOf(t, inAgones.Spec.Template.Spec).Ports {
		ports["Agones"] = append(ports["Agones"], port(p.ContainerPort))
	}
	for _, p := range inAgones.Spec.Ports {
		if p.Container == "sidecar" {
			ports["Agones"] = append(ports["Agones"], port(p.ContainerPort))
		}
	}
	exposed := regexp.MustCompile(`(?m)^EXPOSE (.*)$`).FindSubmatch(image)[1]
	for _, p := range regexp.MustCompile(`\d+`).FindAll(exposed, -1) {
		ports["image"] = append(ports["image"], string(p))
	}
	want := `HEALTHCHECK CMD ["/sidecar", "-health", "` + defaults().State + `"]`
	if !strings.Contains(string(image), want) {
		t.Errorf("the image lacks %s", want)
	}
	command := regexp.MustCompile(`(?m)^CMD \[(.*)\]$`).FindSubmatch(image)[1]
	for name, args := range map[string][]string{
		"compose": compose.Services["sidecar"].Command,
		"pod":     sidecarOf(t, inPod.Spec).Args,
		"Agones":  sidecarOf(t, inAgones.Spec.Template.Spec).Args,
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

func port(n uint16) string { return strconv.Itoa(int(n)) }

func sidecarOf(t *testing.T, spec podSpec) container {
	t.Helper()
	i := slices.IndexFunc(spec.Containers, func(c container) bool { return c.Name == "sidecar" })
	if i < 0 {
		t.Fatal("no container is the sidecar")
	}
	return spec.Containers[i]
}

// The unit for systemd starts the sidecar with flags that exist.
func TestUnitUsesFlagsThatExist(t *testing.T) {
	start := regexp.MustCompile(`(?m)^ExecStart=\S+ (.*)$`).FindStringSubmatch(read(t, "deploy/sidecar.service"))
	if start == nil {
		t.Fatal("no ExecStart")
	}
	if _, err := load(strings.Fields(start[1]), io.Discard); err != nil {
		t.Error(err)
	}
}

// The files for Kubernetes and Agones contain the required members.
func TestKubernetesFilesAreValid(t *testing.T) {
	var inPod pod
	var server gameServer
	var servers fleet
	decode(t, "deploy/pod.yaml", &inPod)
	decode(t, "deploy/gameserver.yaml", &server)
	decode(t, "deploy/fleet.yaml", &servers)
	for want, got := range map[string]string{
		"v1 Pod":                   inPod.APIVersion + " " + inPod.Kind,
		"agones.dev/v1 GameServer": server.APIVersion + " " + server.Kind,
		"agones.dev/v1 Fleet":      servers.APIVersion + " " + servers.Kind,
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if diff := cmp.Diff(server.Spec, servers.Spec.Template.Spec); diff != "" {
		t.Errorf("template (-gameserver.yaml +fleet.yaml):\n%s", diff)
	}
	o, err := load(sidecarOf(t, server.Spec.Template.Spec).Args, io.Discard)
	if err != nil || !o.Agones || o.OnStale == "end" || o.Stale <= 0 {
		t.Errorf("the sidecar in a GameServer has the flags %+v, %v", o, err)
	}
	if _, ok := server.Spec.Counters["players"]; !ok {
		t.Error("the GameServer has no counter of players")
	}
	if health := server.Spec.Health; health.PeriodSeconds <= int(agonesEvery.Seconds()) || health.FailureThreshold < 1 {
		t.Errorf("%+v, but the sidecar reports every %v", health, agonesEvery)
	}
	containers := server.Spec.Template.Spec.Containers
	isContainer := func(name string) bool {
		return slices.ContainsFunc(containers, func(c container) bool { return c.Name == name })
	}
	if !isContainer(server.Spec.Container) {
		t.Errorf("no container %q", server.Spec.Container)
	}
	for _, p := range server.Spec.Ports {
		if p.PortPolicy != "Dynamic" || p.Protocol != "UDP" || p.ContainerPort == 0 ||
			p.Container != "" && !isContainer(p.Container) {
			t.Errorf("port %+v", p)
		}
	}
	for _, spec := range []podSpec{inPod.Spec, server.Spec.Template.Spec} {
		checkProbes(t, sidecarOf(t, spec))
	}
}

// checkProbes sends the kubelet's requests to a sidecar whose game reports, and to a
// sidecar whose game does not, which is alive, but not ready.
func checkProbes(t *testing.T, c container) {
	t.Helper()
	for _, p := range []probe{c.LivenessProbe, c.ReadinessProbe} {
		if p.HTTPGet.Path == "" {
			continue
		}
		if !slices.ContainsFunc(c.Ports, func(at containerPort) bool { return at.Name == p.HTTPGet.Port }) {
			t.Errorf("no port %q for %s", p.HTTPGet.Port, p.HTTPGet.Path)
		}
	}
	r := start(t, nil)
	status := func(p probe) int {
		resp, err := http.Get(r.url + p.HTTPGet.Path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	if code := status(c.LivenessProbe); code != http.StatusOK {
		t.Errorf("liveness before the first report: %d", code)
	}
	if c.ReadinessProbe == (probe{}) {
		return // Agones does not use it
	}
	if code := status(c.ReadinessProbe); code != http.StatusServiceUnavailable {
		t.Errorf("readiness before the first report: %d", code)
	}
	r.send(t, "PUT", "/v1/state", `{"name":"Duel"}`)
	if code := status(c.ReadinessProbe); code != http.StatusOK {
		t.Errorf("readiness after a report: %d", code)
	}
}

// A misspelt member is refused.
func TestMisspeltMembersAreRefused(t *testing.T) {
	for file, v := range map[string]any{"pod": new(pod), "gameserver": new(gameServer), "fleet": new(fleet)} {
		text, err := os.ReadFile("deploy/" + file + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		wrong := bytes.Replace(text, []byte("livenessProbe"), []byte("livenessprobe"), 1)
		err = decodeStrictly(wrong, v)
		if err == nil || !strings.Contains(err.Error(), "field livenessprobe not found") {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func decode(t *testing.T, file string, v any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := decodeStrictly(text, v); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// decodeStrictly refuses unknown members.
func decodeStrictly(text []byte, v any) error {
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	return d.Decode(v)
}
