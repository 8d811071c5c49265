# scripts/halfulp.bash -- completion for bash: source this file.
_halfulp() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local commands="devices run fuzz audit report gen check judge reduce corpus refusals selftest"
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$word")
        return
    fi
    case $before in
    --profile) mapfile -t COMPREPLY < <(compgen -W "atomics groups arith maxerror refusals all" -- "$word"); return ;;
    --forms) mapfile -t COMPREPLY < <(compgen -W "full half native decorated" -- "$word"); return ;;
    --env) mapfile -t COMPREPLY < <(compgen -W "opencl vulkan" -- "$word"); return ;;
    --format) mapfile -t COMPREPLY < <(compgen -W "text html json markdown sarif junit" -- "$word"); return ;;
    --targets)
        mapfile -t COMPREPLY < <(compgen -W "intel-cpu lavapipe swiftshader sim-any sim-ieee" -- "$word")
        return
        ;;
    esac
    if [[ $word == -* ]]; then
        local options
        options=$("${COMP_WORDS[0]}" "${COMP_WORDS[1]}" --help 2>/dev/null | grep -o -e '--[a-z-]*' | sort -u)
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
        return
    fi
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
}
complete -F _halfulp halfulp
