using UnrealBuildTool;

public class Sidecar : ModuleRules
{
	public Sidecar(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		PublicDependencyModuleNames.AddRange(new string[] { "Core", "CoreUObject", "Engine", "HTTP" });
		PrivateDependencyModuleNames.Add("Json");
	}
}
