// Stands in for Unity: what Sidecar.cs uses of it, and a game that does as the others do.
using System;
using System.Collections;
using System.Linq;
using System.Reflection;
using System.Text;
using System.Threading;
using Lobbywire;

namespace UnityEngine {
	public class MonoBehaviour { }

	public static class Debug {
		public static void LogWarning(object message) { Console.Error.WriteLine(message); }
	}

	public static class Time {
		public const float unscaledDeltaTime = 0.01f;
	}

	// Writes the public fields of an object, as Unity does.
	public static class JsonUtility {
		public static string ToJson(object value) {
			if (value is int) return value.ToString();
			if (value is string) return Quoted((string)value);
			if (value is IList) return "[" + string.Join(",", ((IList)value).Cast<object>().Select(ToJson)) + "]";
			var fields = value.GetType().GetFields(BindingFlags.Public | BindingFlags.Instance);
			return "{" + string.Join(",", fields.Select(f => Quoted(f.Name) + ":" + ToJson(f.GetValue(value)))) + "}";
		}

		static string Quoted(string text) {
			var all = new StringBuilder("\"");
			foreach (var c in text) {
				if (c == '"' || c == '\\') all.Append('\\');
				all.Append(c);
			}
			return all.Append('"').ToString();
		}
	}
}

static class Game {
	static object Call(object component, string message) {
		var method = component.GetType().GetMethod(message, BindingFlags.NonPublic | BindingFlags.Instance);
		return method.Invoke(component, null);
	}

	static void Main(string[] args) {
		Environment.SetEnvironmentVariable("SIDECAR_STATE", args[0]);
		var sidecar = new Sidecar();
		sidecar.state.map = "harbor";
		sidecar.state.port = 25600;
		var ann = new Sidecar.Player { name = "Ann \"Fox\"", score = 3 };
		sidecar.state.roster.Add(ann);
		Call(sidecar, "Awake");
		var coroutine = (IEnumerator)Call(sidecar, "Start");
		Action second = () => {
			for (var frame = 0; frame < 100; frame++) {
				coroutine.MoveNext();
				Thread.Sleep(10);
			}
		};
		second();
		sidecar.state.roster.Add(new Sidecar.Player { name = "Bob" });
		sidecar.Report();
		second();
		sidecar.state.roster.Remove(ann);
		sidecar.Report();
		second();
	}
}
