
# Words of the line up to the cursor, without the package bash-completion. This
# replaces the function above, which needs the package. Words end at blanks only, so
# host:port and -flag=value are one each.
__gamequery_init_completion()
{
    local rest="${COMP_LINE:0:COMP_POINT}" word blanks
    words=()
    cword=-1
    for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
        blanks="${rest%%[![:blank:]]*}"
        if ((cword < 0)) || [[ -n $blanks ]]; then
            rest="${rest#"$blanks"}"
            cword=$((cword + 1))
            words[cword]=
        fi
        if [[ $rest != "$word"* ]]; then
            word=$rest # the cursor is within it
        fi
        words[cword]+=$word
        rest="${rest#"$word"}"
    done
    cur="${words[cword]}"
}
