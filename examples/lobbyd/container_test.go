//go:build linux

package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// TestImageExposesAllPorts checks that the image exposes the ports of all servers that run by default.
func TestImageExposesAllPorts(t *testing.T) {
	exposed := strings.Fields(regexp.MustCompile(`(?m)^EXPOSE (.*)$`).FindStringSubmatch(read(t, "Dockerfile"))[1])
	c := defaults()
	d := newLobbyd(c, os.Stderr)
	masters := newMasters(c, sharing{}, &d.rules.judge, d.log)
	servers := masters.servers(c, nil, d.fronts.public, http.NotFoundHandler())
	servers = append(servers, &server{at: c.Web.Listen}, &server{at: c.Metrics.Listen})
	for _, s := range servers {
		port := s.at.hostPort[strings.LastIndex(s.at.hostPort, ":")+1:]
		if s.udp != nil {
			port += "/udp"
		}
		if !s.at.off() && !slices.Contains(exposed, port) {
			t.Errorf("port %s of %s is not exposed", port, s.name)
		}
	}
}

// docker runs the docker commands of the README with buildah and podman, in a separate
// folder.
const docker = `docker() {
	local command=$1
	shift
	case $command in
	build) buildah --storage-driver vfs --root "$STORE/root" --runroot "$STORE/run" \
		bud --isolation chroot --format docker "$@" ;;
	run) pod run --ulimit nofile=8192:8192 --ulimit nproc=4096:4096 "$@" ;;
	*) pod "$command" "$@" ;;
	esac
}
pod() {
	podman --storage-driver vfs --root "$STORE/root" --runroot "$STORE/run" --runtime runc \
		--cgroup-manager=cgroupfs "$@"
}
`

// The commands of OPERATING.md build an image, which runs without root and passes its health
// check.
func TestImageRunsUnprivileged(t *testing.T) {
	for _, tool := range []string{"buildah", "podman", "runc"} {
		suite.Program(t, tool)
	}
	if os.Getuid() != 0 {
		t.Skip("only root can run containers")
	}
	if said, err := exec.Command("unshare", "--mount", "true").CombinedOutput(); err != nil {
		t.Skipf("containers cannot have mounts here: %s", said)
	}
	store, err := os.MkdirTemp("", "lobbyd") // podman allows only short paths
	if err != nil {
		t.Fatal(err)
	}
	shell := func(script string) string {
		t.Helper()
		cmd := exec.Command("bash", "-ec", docker+script)
		cmd.Dir = filepath.Join("..", "..")
		cmd.Env = append(os.Environ(), "STORE="+store)
		said, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s\n%v: %s", script, err, said)
		}
		return strings.TrimSpace(string(said))
	}
	t.Cleanup(func() {
		shell("docker rm -f -v -a && docker volume rm -f -a")
		if err := os.RemoveAll(store); err != nil {
			t.Error(err)
		}
	})

	_, text, _ := strings.Cut(read(t, "OPERATING.md"), "<!-- container -->\n```sh\n")
	text, _, found := strings.Cut(text, "```\n<!-- end -->")
	if !found {
		t.Fatal("OPERATING.md has no commands for a container")
	}
	// Any ports of the host. Podman tries only the first port of a range, and connections of
	// other tests, also ended ones, occupy many ports of 127.0.0.1.
	text = regexp.MustCompile(`-p (?:127\.0\.0\.1:)?[\d-]+:`).ReplaceAllString(text, "-p 127.0.0.3::")
	shell(text)
	const untilReady = "until docker exec lobbyd /lobbyd health -ready; do :; done; "
	shell(untilReady + "docker healthcheck run lobbyd")
	for port, path := range map[string]string{"8080": "/api/servers", "8081": "/metrics"} {
		at := shell("docker port lobbyd " + port)
		reply, err := http.Get("http://" + at + path)
		if err != nil {
			t.Fatal(err)
		}
		reply.Body.Close()
		if reply.StatusCode != http.StatusOK {
			t.Errorf("port %s: %s", port, reply.Status)
		}
	}
	if got := shell("docker inspect --format '{{.Config.User}}' lobbyd"); got != "65532:65532" {
		t.Errorf("runs as %s", got)
	}
	// A restart keeps the secret of the tokens, which the first start has made.
	shell("docker restart lobbyd; " + untilReady)
	if logs := shell("docker logs lobbyd"); strings.Count(logs, `"msg":"data directory","path":"/var/lib/lobbyd"`) != 2 ||
		strings.Contains(logs, `"WARN"`) {
		t.Errorf("logs: %s", logs)
	}
}
