# Manual pages and completions, generated at build time from the option tables.

set(DSLAP_MANUAL_DIR ${CMAKE_BINARY_DIR}/manual)
file(MAKE_DIRECTORY ${DSLAP_MANUAL_DIR}/completions)

# dslap_manual_page(PAGE TOOL): docs/man/PAGE.in filled by the program TOOL.
function(dslap_manual_page page tool)
  set(template ${CMAKE_SOURCE_DIR}/docs/man/${page}.in)
  add_custom_command(OUTPUT ${DSLAP_MANUAL_DIR}/${page}
    COMMAND ${tool} --man ${template} ${DSLAP_MANUAL_DIR}/${page}
    DEPENDS ${tool} ${template} VERBATIM)
  set_property(GLOBAL APPEND PROPERTY DSLAP_MANUALS ${DSLAP_MANUAL_DIR}/${page})
endfunction()

function(dslap_completion program tool)
  set(script ${DSLAP_MANUAL_DIR}/completions/${program})
  add_custom_command(OUTPUT ${script} COMMAND ${tool} --completion ${script}
    DEPENDS ${tool} VERBATIM)
  set_property(GLOBAL APPEND PROPERTY DSLAP_MANUALS ${script})
endfunction()

dslap_manual_page(dslap.1 dslap_cli_doc)
dslap_manual_page(dslap-agent.8 dslap_agent_doc)
dslap_manual_page(dslap-agent.conf.5 dslap_agent_doc)
dslap_manual_page(dslap-make-certs.1 dslap_agent_doc)
dslap_completion(dslap dslap_cli_doc)
dslap_completion(dslap-agent dslap_agent_doc)

get_property(dslap_manuals GLOBAL PROPERTY DSLAP_MANUALS)
add_custom_target(dslap_manuals ALL DEPENDS ${dslap_manuals})
