#pragma once

#include "Containers/Ticker.h"
#include "CoreMinimal.h"
#include "Interfaces/IHttpRequest.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "SidecarSubsystem.generated.h"

class AController;
class AGameModeBase;
class APlayerController;
class APlayerState;

/**
 * Reports the state of a server to a sidecar, which answers all queries with it: when a
 * player joins or leaves, within a second of other changes, and every ten seconds. It
 * starts with the game. Set its members in DefaultGame.ini, in the section
 * [/Script/Sidecar.SidecarSubsystem].
 */
UCLASS(Config = Game)
class SIDECAR_API USidecarSubsystem : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

	/** Reports the whole state now, or after the report under way. */
	UFUNCTION(BlueprintCallable, Category = "Sidecar")
	void Report();

	/** The name of the server. */
	UPROPERTY(Config)
	FString Name = TEXT("Duel");

	/** The sidecar. One that starts the game sets $SIDECAR_STATE, which is used then. */
	UPROPERTY(Config)
	FString Url = TEXT("http://127.0.0.1:7790");

private:
	void OnJoined(AGameModeBase* GameMode, APlayerController* Player);
	void OnLeft(AGameModeBase* GameMode, AController* Player);
	void OnAnswered(FHttpRequestPtr Request, FHttpResponsePtr Answer, bool bArrived);
	bool OnSecond(float DeltaTime);
	FString State() const;

	FTSTicker::FDelegateHandle Ticking;
	TWeakObjectPtr<APlayerState> Leaving;
	FString Reported;
	int32 Seconds = 0; // since the last report
	bool bReporting = false;
	bool bReportAgain = false;
};
