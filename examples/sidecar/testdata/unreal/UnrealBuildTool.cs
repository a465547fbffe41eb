// Stands in for UnrealBuildTool: what Sidecar.Build.cs uses of it.
using System.Collections.Generic;

namespace UnrealBuildTool {
	public class ReadOnlyTargetRules { }

	public class ModuleRules {
		public enum PCHUsageMode { UseExplicitOrSharedPCHs }

		public PCHUsageMode PCHUsage;
		public readonly List<string> PublicDependencyModuleNames = new List<string>();
		public readonly List<string> PrivateDependencyModuleNames = new List<string>();

		public ModuleRules(ReadOnlyTargetRules target) { }
	}
}
