# scripts/halfulp.bash -- completion for bash: source this file; make install puts it where bash looks for it.
_halfulp() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local commands="try devices run fuzz merge audit report gen check judge reduce corpus refusals selftest cases"
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$word")
        return
    fi
    case $before in
    --profile) mapfile -t COMPREPLY < <(compgen -W "atomics groups arith maxerror programs refusals all" -- "$word"); return ;;
    --forms) mapfile -t COMPREPLY < <(compgen -W "full half native decorated" -- "$word"); return ;;
    --language) mapfile -t COMPREPLY < <(compgen -W "spirv opencl-c glsl" -- "$word"); return ;;
    --types) mapfile -t COMPREPLY < <(compgen -W "f16 f32 f64" -- "$word"); return ;;
    --sandbox) mapfile -t COMPREPLY < <(compgen -W "yes no" -- "$word"); return ;;
    --env) mapfile -t COMPREPLY < <(compgen -W "opencl vulkan" -- "$word"); return ;;
    --format) mapfile -t COMPREPLY < <(compgen -W "text html trust json markdown sarif junit" -- "$word"); return ;;
    --targets | --target | --variables)
        mapfile -t COMPREPLY < <(compgen -W "intel-cpu lavapipe swiftshader sim-any sim-ieee" -- "$word")
        return
        ;;
    esac
    if [[ $word == -* ]]; then
        local options
        options=$("${COMP_WORDS[0]}" "${COMP_WORDS[1]}" --help 2>/dev/null |
            sed -n 's/^  \(-., \|    \)\(--[a-z_-]*\).*/\2/p' | sort -u)
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
        return
    fi
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
}
complete -F _halfulp halfulp
