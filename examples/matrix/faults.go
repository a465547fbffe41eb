package main

import "strings"

// fault explains why a tool does not read a case completely, and whether the tool or
// our server is at fault. It returns "" for unexpected failures.
func fault(r row, c testCase) string {
	plain := strings.HasSuffix(r.tool.Name, "gs2") || strings.HasSuffix(r.tool.Name, "gamespy2")
	node := r.name == "Minecraft"
	switch {
	case c.lossy && node:
		return "The tool: it sends a request that is lost once only, and waits until it gives up."
	case c.lossy && !strings.HasPrefix(r.tool.Name, "qstat"):
		return "The tool: by default it makes one attempt, and fails if a datagram of it is lost."
	case plain && (c.players > 16 || c.name == "90 bytes"):
		return "The protocol: an answer in plain form is one packet. Our server sends as many players as fit, and numplayers has the total."
	case c.name == "UTF-8" && r.tool.Name == "minecraft-server-util":
		return "The tool: it decodes text as Latin-1. New servers of Minecraft send UTF-8."
	case c.name == "UTF-8" && !node:
		return "The tool: it decodes text as Latin-1, as most games of the protocol send it. The bytes arrive whole."
	case c.name == "Latin-1" && node:
		return "The tool: it decodes text as UTF-8 and replaces all other bytes. Old servers of Minecraft send Latin-1."
	}
	return ""
}
