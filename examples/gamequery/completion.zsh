#compdef gamequery
compdef _gamequery gamequery

# The program prints a line for each completion, with its description after a tab, and a last
# line with a colon and the sum of: 1 for an error, 2 for no blank after it, 4 for no files.
_gamequery()
{
    local -a lines candidates after
    local line directive=1
    lines=("${(@f)$(${~words[1]} __complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    if [[ ${lines[-1]} == :<-> ]]; then
        directive=${lines[-1]#:}
        lines[-1]=()
    fi
    if ((directive & 1)); then
        return 1
    fi
    for line in "${lines[@]}"; do
        candidates+=("${${line//:/\\:}/$'\t'/:}")
    done
    if [[ $PREFIX == -*=* ]]; then
        compset -P 1 '*='
    fi
    if ((directive & 2)); then
        after=(-S '')
    fi
    local found=1
    if ((${#candidates})); then
        _describe completion candidates "${after[@]}" && found=0
    fi
    if ! ((directive & 4)); then
        _files && found=0
    fi
    return found
}

# Loaded by compinit, this file is the function; sourced, it only defines it.
if [[ $funcstack[1] == _gamequery ]]; then
    _gamequery "$@"
fi
