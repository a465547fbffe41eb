// Package programtest helps tests of programs: it finds unused ports for them, and checks what they
// publish, JSON against its schema and dashboards for Grafana against their metrics.
package programtest
